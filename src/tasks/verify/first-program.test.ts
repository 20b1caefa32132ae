import { expect, it } from "vitest";
import { firstProgram } from "./first-program.ts";

it.each([
  ["npm test", "npm"],
  ["CI=1 vitest run", undefined],
  ["PATH=$PWD/tools:$PATH chk", undefined],
  ["! grep -q TODO a.ts", "grep"],
  ["./scripts/check.sh --all && true", undefined],
  ["foo | grep -q bar", "foo"],
  ["test -f a && foo", undefined],
  ["cd api && foo", undefined],
  ["[ -f a ]", undefined],
  ["if foo; then true; fi", undefined],
  ['"$TOOL" run', undefined],
  ["(foo)", undefined],
  ["", undefined],
])("%j begins with %j", (command, program) => expect(firstProgram(command)).toBe(program));
