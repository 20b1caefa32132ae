import { expect, it } from "vitest";
import { firstProgram } from "./first-program.ts";

it.each([
  ["npm test", "npm"],
  ["CI=1 vitest run", undefined],
  ["PATH=$PWD/tools:$PATH chk", undefined],
  ["./scripts/check.sh --all && true", undefined],
  ["foo && bar", "foo"],
  ["foo | tee bar", undefined],
  ["test -f a && foo", undefined],
  ["cd api && foo", undefined],
  ["[ -f a ]", undefined],
  ["if foo; then true; fi", undefined],
  ["rgx -q done f || grep -q done f", undefined],
  ["rgx && true || grep -q done f", undefined],
  ["foo; true", undefined],
  ["foo\ntrue", undefined],
  ["! foo", undefined],
  ["coproc foo", undefined],
  ['"$TOOL" run', undefined],
  ["(foo)", undefined],
  ["", undefined],
])("%j begins with %j", (command, program) => expect(firstProgram(command)).toBe(program));
