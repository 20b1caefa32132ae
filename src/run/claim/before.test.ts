import { expect, it } from "vitest";
import { whyNotRunnable } from "./before.ts";
import type { Evidence } from "./evidence.ts";

const ran = (
  command: string,
  exitCode: number | null,
  tail: string,
  more: object = {},
): Evidence => ({
  command,
  outcome: "failed",
  exitCode,
  milliseconds: 1,
  commit: "",
  tail,
  ...more,
});

it.each<[what: string, evidence: Evidence | undefined, why: string | undefined]>([
  ["nothing was run", undefined, undefined],
  ["it passed", ran("a", 0, "usage: a", { outcome: "passed" }), undefined],
  ["it took too long", ran("a", null, "usage: a", { outcome: "timed-out" }), undefined],
  ["a test fails", ran("npm test", 1, "1 failed\nError: expected 3"), undefined],
  ["a file is not there yet", ran("cat a", 1, "cat: a: No such file or directory"), undefined],
  ["a script is not there yet", ran("./check.sh", 127, "sh: 1: ./check.sh: not found"), undefined],
  [
    "a script of bash is not there",
    ran("bash x.sh", 127, "bash: x.sh: No such file or directory"),
    undefined,
  ],
  [
    "an npm script is not there yet",
    ran("npm run x", 1, 'npm error Missing script: "x"'),
    undefined,
  ],
  ["a program is not there", ran("jqq .", 127, "sh: 1: jqq: not found"), "sh: 1: jqq: not found"],
  [
    "it may not be run",
    ran("./a", 126, "sh: ./a: Permission denied"),
    "sh: ./a: Permission denied",
  ],
  [
    "it could not be started",
    ran("a", null, "", { outcome: "unrun", why: "spawn EAGAIN" }),
    "spawn EAGAIN",
  ],
  [
    "a compiler option lacks its argument",
    ran("npx tsc --types", 1, "error TS6044: Compiler option 'types' expects an argument.\n"),
    "error TS6044: Compiler option 'types' expects an argument.",
  ],
  ["an option is unknown", ran("eslint --x", 2, "Invalid option '--x'"), "Invalid option '--x'"],
  ["it was called wrongly", ran("a", 2, "a: bad\nUsage: a [-x] file\n"), "Usage: a [-x] file"],
  [
    "a quote is missing",
    ran("test 'a", 2, "sh: 1: Syntax error: Unterminated quoted string"),
    "sh: 1: Syntax error: Unterminated quoted string",
  ],
])("%s", (_, evidence, why) => {
  expect(whyNotRunnable(evidence)).toBe(why);
});
