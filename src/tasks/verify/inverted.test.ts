import { expect, it } from "vitest";
import { isInverted } from "./inverted.ts";
import { parseVerify } from "./verify.ts";

const isTurned = (command: string): boolean =>
  parseVerify(`\`${command}\``).checks.some(isInverted);

it.each([
  "! node repro.js",
  "(! npm test)",
  "bash -c '! node repro.js'",
  "node repro.js; test $? -ne 0",
  "node repro.js; [ $? -eq 1 ]",
  "node repro.js && exit 1 || exit 0",
  "if node repro.js; then exit 1; fi",
  "if node repro.js; then exit 1; else exit 0; fi",
])("`%s` passes only while something is broken", (command) => expect(isTurned(command)).toBe(true));

it.each([
  "if ! node repro.js; then exit 1; fi",
  "if grep -q old a.js; then exit 1; fi",
  "node repro.js; test $? -eq 0",
  "node repro.js || exit 1",
  "grep -q old a.js; test $? -eq 1",
  "grep -q old a.js && exit 1 || exit 0",
  "(npm test)",
  "sh -c 'npm test'",
])("`%s` does not", (command) => expect(isTurned(command)).toBe(false));
