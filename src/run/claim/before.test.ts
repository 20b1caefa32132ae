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

const NODE_TAP = `
> demo@1.0.0 test
> node --test

TAP version 13
# Subtest: refuses an unknown option
not ok 1 - refuses an unknown option
  ---
  error: |-
    Expected values to be strictly equal:
    "error: unknown option '--x'" !== ''
  code: 'ERR_ASSERTION'
  ...
1..1
# tests 1
# pass 0
# fail 1
`;
const NODE_SPEC = `
✖ refuses an unknown option (1.2ms)
error: unknown option '--x'
ℹ tests 1
ℹ fail 1

✖ failing tests:
  AssertionError [ERR_ASSERTION]: unknown option
`;
const JEST = `FAIL test/cli.test.js
  ● cli › refuses an unknown option

    expect(received).toBe(expected)

Tests:       1 failed, 2 passed, 3 total
`;
const VITEST = ` ❯ test/cli.test.ts (1 test | 1 failed) 5ms
   × refuses an unknown option 4ms
error: unknown option '--x'
 Test Files  1 failed (1)
      Tests  1 failed (1)
`;
const PYTEST = `collected 1 item

test_cli.py F
E       AssertionError: usage: demo [-h]
usage: demo [-h]
FAILED test_cli.py::test_unknown_option - unrecognized arguments: --x
1 failed in 0.02s
`;
const CARGO = `running 1 test
test cli::refuses_unknown ... FAILED
error: unexpected argument '--x' found
test result: FAILED. 0 passed; 1 failed; 0 ignored
error: test failed, to rerun pass \`--lib\`
`;
const GO = `--- FAIL: TestUnknownFlag (0.00s)
    cli_test.go:9: got "", want "flag provided but not defined: -x"
flag provided but not defined: -x
FAIL
FAIL\tdemo/cli\t0.002s
`;

it.each<[what: string, command: string, exitCode: number, tail: string]>([
  ["node, TAP", "npm test", 1, NODE_TAP],
  ["node, spec", "npm test", 1, NODE_SPEC],
  ["jest", "npx jest", 1, JEST],
  ["vitest", "npx vitest run", 1, VITEST],
  ["pytest", "pytest", 1, PYTEST],
  ["cargo", "cargo test", 101, CARGO],
  ["go", "go test ./...", 1, GO],
  ["mocha", "npx mocha", 1, "  1 failing\n\nerror: unknown option '--x'\n"],
  ["an assertion", "node a.js", 1, "AssertionError [ERR_ASSERTION]: names the unknown option"],
  ["quoted text", "node a.js", 1, "Expected:\n  error: unknown option '--x'\nbut got nothing"],
  ["a compiler", "cc a.c", 1, "a.c:3:1: error: expected identifier\n    3 | syntax error"],
])("what a test is about is not how it was called: %s", (_, command, exitCode, tail) => {
  expect(whyNotRunnable(ran(command, exitCode, tail))).toBeUndefined();
});

it.each<[command: string, exitCode: number, tail: string, why: string]>([
  ["node --test --grep a", 9, "node: bad option: --grep\n", "node: bad option: --grep"],
  ["npx tsc --foo", 1, "error TS5023: Unknown compiler option '--foo'.", "error TS5023: Unknown"],
  ["npx jest --foo", 1, "● Unrecognized CLI Parameter:\n\n  Unrecognized option", "● Unrec"],
  ["npx vitest run --foo", 1, "CACError: Unknown option `--foo`\n    at x (y:1:1)", "CACError"],
  [
    "pytest --foo",
    4,
    "ERROR: usage: pytest [options]\npytest: error: unrecognized arguments: --foo\n  inifile: None",
    "pytest: error: unrecognized",
  ],
  [
    "cargo test --foo",
    1,
    "error: unexpected argument '--foo' found\n\nUsage: cargo test [OPTIONS]",
    "error: unexpected argument",
  ],
  [
    "go test ./... -foo",
    1,
    "flag provided but not defined: -foo\nUsage of /tmp/cli.test:\n  -test.v\nFAIL\tdemo/cli\t0.002s\nFAIL",
    "flag provided but not defined: -foo",
  ],
  [
    "npm test",
    127,
    "> demo@1.0.0 test\n> jest\n\nsh: 1: jest: not found\nnpm error Lifecycle script failed",
    "sh: 1: jest: not found",
  ],
])("%s: called wrongly", (command, exitCode, tail, why) => {
  expect(whyNotRunnable(ran(command, exitCode, tail))).toMatch(
    new RegExp(`^${why.replaceAll(/[.*+?^${}()|[\]\\]/g, "\\$&")}`),
  );
});

const FILES = ["src/parse.js", "test/parse.test.js"];

it.each<[command: string, tail: string, files: readonly string[], isSaid: boolean]>([
  ["node --test test/parse.tests.js", "Could not find '/x/test/parse.tests.js'", FILES, true],
  ["node --test test/parse.test.js", "Could not find '/x/test/parse.test.js'", FILES, false],
  ["node --test test/a.test.js", "Could not find '/x/test/a.test.js'", ["test/"], false],
  ["node --test test/a.test.js", "Could not find '/x/test/a.test.js'", ["test/*.js"], false],
  ["node --test test/a.test.js", "Could not find '/x/test/a.test.js'", [], false],
  [
    "cd test && node parse.test.js",
    "Error: Cannot find module '/x/test/parse.test.js'",
    FILES,
    false,
  ],
  [
    "node check.js",
    "node:internal\n  throw err;\n\nError: Cannot find module '/x/check.js'",
    FILES,
    true,
  ],
  // The module is one that the script imports: the script is there.
  ["node test/old.js", "Error: Cannot find module '../src/parse.js'", ["a.js"], false],
  ["bash x.sh", "bash: x.sh: No such file or directory", FILES, true],
  ["python3 x.py", "python3: can't open file '/x/x.py': [Errno 2] No such file", FILES, true],
  ["pytest t/a.py", "collected 0 items\n\nERROR: file or directory not found: t/a.py", FILES, true],
  ["npm run lint", 'npm error Missing script: "lint"', FILES, true],
  ["npm run lint", 'npm error Missing script: "lint"', ["package.json"], false],
])("%s: %s, in a task that writes %j", (command, tail, files, isSaid) => {
  expect(whyNotRunnable(ran(command, 1, tail), files)).toBe(
    isSaid ? tail.split("\n").at(-1) : undefined,
  );
});
