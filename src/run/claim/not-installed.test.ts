import { expect, it } from "vitest";
import type { Evidence } from "./evidence.ts";
import { whyNotInstalled } from "./not-installed.ts";

const ran = (command: string, exitCode: number, tail: string): Evidence => ({
  command,
  outcome: exitCode === 0 ? "passed" : "failed",
  exitCode,
  milliseconds: 1,
  commit: "",
  tail,
});

const NODE = `node:internal/modules/cjs/loader:1210
  throw err;
  ^

Error: Cannot find module 'NAME'
Require stack:
- /x/a.js
    at Module._resolveFilename (node:internal/modules/cjs/loader:1207:15) {
  code: 'MODULE_NOT_FOUND',
}

Node.js v20.20.2`;
const TAP = `TAP version 13
# node:internal/modules/esm/resolve:873
# Error [ERR_MODULE_NOT_FOUND]: Cannot find package 'left-pad' imported from /x/a.test.mjs
#     at packageResolve (node:internal/modules/esm/resolve:873:9)
# Subtest: /x/a.test.mjs
not ok 1 - /x/a.test.mjs
1..1
# fail 1`;
const JEST = "> demo@1.0.0 test\n> jest\n\nsh: 1: jest: not found";

it.each<[command: string, exitCode: number, tail: string, why: string]>([
  ["npm test", 127, JEST, "sh: 1: jest: not found"],
  ["pytest", 127, "bash: line 1: pytest: command not found", "bash: line 1: pytest: command"],
  ["jest", 127, "zsh:1: command not found: jest", "zsh:1: command not found: jest"],
  ["jest 2> /dev/null", 127, "", "command not found"],
  ["./check.sh", 127, "./check.sh: line 2: jq: command not found", "./check.sh: line 2: jq"],
  ["./check.py", 127, "/usr/bin/env: ‘py’: No such file or directory", "/usr/bin/env: ‘py’"],
  ["a", 127, "sh: 1: node_modules/.bin/a: not found", "sh: 1: node_modules/.bin/a"],
  ["a", 127, "bash: line 1: ./node_modules/.bin/a: No such file or directory", "bash: line 1: ./n"],
  [".venv/bin/a", 126, "sh: 1: .venv/bin/a: Permission denied", "sh: 1: .venv/bin/a"],
  ["node a.js", 1, NODE.replace("NAME", "left-pad"), "Error: Cannot find module 'left-pad'"],
  ["node a.js", 1, NODE.replace("NAME", "@a/b/c.js"), "Error: Cannot find module '@a/b/c.js'"],
  ["node --test", 1, TAP, "# Error [ERR_MODULE_NOT_FOUND]: Cannot find package 'left-pad'"],
  ["npx jest", 1, 'npm error npx canceled due to missing packages and no YES option: ["j"]', "npm"],
])("%s, exit code %i: is not installed", (command, exitCode, tail, why) => {
  expect(whyNotInstalled(ran(command, exitCode, tail))?.slice(0, why.length)).toBe(why);
});

it.each<[what: string, command: string, exitCode: number, tail: string]>([
  ["it passes", "npm test", 0, JEST],
  ["a test fails", "npm test", 1, "not ok 1 - adds\n# fail 1"],
  ["a tool is missed on the way", "npm run a", 1, "sh: 1: jq: not found\nexpected 3, got 4"],
  ["the project's own script is gone", "./check.sh", 127, "sh: 1: ./check.sh: not found"],
  ["the same, by a shell", "bash x.sh", 127, "bash: x.sh: No such file or directory"],
  ["the same, unseen", "bin/check 2> /dev/null", 127, ""],
  ["it was committed without its mode", "./a", 126, "sh: 1: ./a: Permission denied"],
  ["the project's own module is gone", "node a.js", 1, NODE.replace("NAME", "./b.js")],
  ["the script itself is gone", "node a.js", 1, NODE.replace("NAME", "/x/a.js")],
  ["the same, on Windows", "node a.js", 1, NODE.replace("NAME", "C:\\x\\a.js")],
  ["an alias of the project's own", "node a.js", 1, NODE.replace("NAME", "@/b")],
  ["the project's own option is gone", "node cli.js --x", 1, "error: unknown option '--x'"],
  ["it is quoted", "npm test", 1, "AssertionError: Error: Cannot find module 'a'"],
])("is broken if %s", (_, command, exitCode, tail) => {
  expect(whyNotInstalled(ran(command, exitCode, tail))).toBeUndefined();
});
