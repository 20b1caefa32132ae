import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { isCommand, parseCommands } from "../verify-command.ts";
import { formatCheck, parseVerify } from "./verify.ts";

/** What is expected, and the kind of doubt. */
const read = (text: string): string[] =>
  parseVerify(text).checks.map((check) => {
    const words = formatCheck(check).slice(check.command.length).trim() || "exit 0";
    return check.doubt === undefined ? words : `${words} ${check.doubt.kind}`;
  });

describe("what the words after a command mean", () => {
  it.each([
    // exit codes
    ["`npm test`", "exit 0"],
    ["`npm test` exits 0", "exit 0"],
    ["`npm test` exits with code 0 (see above)", "exit 0"],
    ["`npm test` at the root exits 0", "exit 0"],
    ["`bin/tool --bad` exits 2", "(should exit with 2)"],
    ["`bin/tool --bad` exits with status 3", "(should exit with 3)"],
    ["`bin/tool --bad` → exit code 1", "(should exit with 1)"],
    ["`bin/tool --bad` should return 4", "(should exit with 4)"],
    ["`grep -q x a` returns 0", "exit 0"],
    ["`bin/tool --bad` exits non-zero", "(should fail)"],
    // failure
    ["`npm test -- new` fails", "(should fail)"],
    ["`npm test -- new` (must fail)", "(should fail)"],
    ["`npm test -- new` (expect failures)", "(should fail)"],
    ["`npm test -- new` does not pass", "(should fail)"],
    ["`npm test -- new` fails with a type error", "(should fail)"],
    ["`npm test -- new` does not fail", "exit 0"],
    // silence
    ["`grep -n old src/a.ts` returns nothing", "(should print nothing)"],
    ["`grep -n old src/a.ts` prints no output", "(should print nothing)"],
    ["`grep -n old src/a.ts` → empty (it was deleted)", "(should print nothing)"],
    ["`grep -rn old src` returns 0 matches", "(should print nothing)"],
    ["`grep -rn old src` returns no results in src.", "(should print nothing)"],
    ["`grep -rn old src` should not return anything", "(should print nothing)"],
    ["`git status --porcelain` is empty", "(should print nothing)"],
    ["`grep -rn old src | wc -l` returns nothing", "(should print 0)"],
    // numbers
    ["`grep -c x a.md` returns 3", "(should print 3)"],
    ["`grep -c x a.md` -> `0`", "(should print 0)"],
    ["`grep -c x a.md` — 0", "(should print 0)"],
    ["`grep -c x a.md` >= 2", "(should print a number >= 2)"],
    ["`grep -c x a.md` returns ≥ 2 matches", "(should print a number >= 2)"],
    ["`grep -c x a.md` (should be 5+)", "(should print a number >= 5)"],
    ["`grep -c x a.md` (expected: 3)", "(should print 3)"],
    ["`grep -c x a.md` returns exactly 2 (one each)", "(should print 2)"],
    ["`ls a/*.md | wc -l` shows 2 or more", "(should print a number >= 2)"],
    ["`ls a/*.md | wc -l` shows at most 4 files", "(should print a number <= 4)"],
    ["`ls a/*.md | wc -l` gives fewer than 4", "(should print a number < 4)"],
    ["`ls a/*.md | wc -l` is more than 4", "(should print a number > 4)"],
    ["`grep -c x a.md || echo 0` returns 0 errors", "(should print 0)"],
    ["`bin/tool a; echo $?` (should be 1)", "(should print 1)"],
    ["`curl -s -o /dev/null -w '%{http_code}' localhost` returns 200", "(should print 200)"],
    ["`node -p 'list.length'` prints 7", "(should print 7)"],
    ["`grep -c x a.md # returns 3`", "(should print 3)"],
    ["`ls src/hosts` shows 3 files", "(should print 3 lines)"],
    ["`grep -n x a.md` returns at least 2 matches", "(should print >= 2 lines)"],
    ["`bin/count a` prints 3", "(should print 3)"],
    // texts
    ['`jq -r .name a.json` returns "demo"', '(should print "demo")'],
    ["`jq .on a.json` returns `false`", '(should print "false")'],
    ["`jq -r .version a.json` prints 1.2.0", '(should print "1.2.0")'],
    ["`python --version` shows `3.12`", '(should print something with "3.12")'],
    ["`grep version a.json` shows 4.2.0", '(should print something with "4.2.0")'],
    ['`bin/tool --help` contains "usage"', '(should print something with "usage")'],
    ["`bin/tool --help` mentions `--all` in the list", '(should print something with "--all")'],
    ["`a -b && echo PASS || echo FAIL` prints PASS", '(should print "PASS")'],
    ["`a -b | grep x && echo BAD || echo GOOD` — expect `GOOD`", '(should print "GOOD")'],
    // words that exit 0 stands for
    ["`npm test` passes", "exit 0"],
    ["`npm test` — all 16 tests pass", "exit 0"],
    ["`npm test` shows no errors", "exit 0"],
    ["`npm run lint` 0 warnings", "exit 0"],
    ["`npm run build` succeeds without errors", "exit 0"],
    ["`test -f a.md` (file exists)", "exit 0"],
    ["`grep -n x a.md` returns a match", "exit 0"],
    ["`npm test` (lint and types come later)", "exit 0"],
    ["`npm test` in the folder `worker`", "exit 0"],
    ["All of them must pass: `npm test`", "exit 0"],
    ["`! grep -q old a.md` (no old ones left)", "exit 0"],
    ["`! grep -q old a.md` returns no matches", "exit 0"],
    ["None left: `test ! -f old.md`", "exit 0"],
    // what we do not understand
    ["`bin/count a` → 3", "exit 0 not-understood"],
    ["`grep -q old a.md` returns nothing", "(not judged) not-understood"],
    ["`! grep old a.md` prints `x`", "exit 0 not-understood"],
    ["`curl -s localhost/health` returns 200", "exit 0 not-understood"],
    ["`sed -n 3p a.md` shows the new heading", "exit 0 not-understood"],
    ["`grep -n x a.md` shows line 308", "exit 0 not-understood"],
    ["`grep -c x a.md` — recorded", "exit 0 not-understood"],
    ["`npm test` with coverage, >= 85%", "exit 0 not-understood"],
    ["`npm test` and manual review of the snapshots", "exit 0 not-understood"],
    ["`grep -n x a.md` shows failure handling", "(not judged) not-understood"],
    ["`grep -n x a.md` returns 0", "(not judged) not-understood"],
    ["`grep -n x a.md` comes back clean, no warnings", "(not judged) not-understood"],
    ["`gh pr checks` all green or no CI", "(not judged) not-understood"],
    ["`cat a.md` has no old headings", "(not judged) not-understood"],
    ["No stray logs: `grep -c console src/a.ts`", "(not judged) not-understood"],
    ["`npm test` exits 2 and prints `oops`", "(not judged) not-understood"],
    ["`grep -c x a.md b.md` returns 2", "(not judged) not-understood"],
    ["`grep -n x a.md` returns no matches outside tests", "(not judged) not-understood"],
    ["`jq .v a.json && jq .v b.json` both return 1.0.0", "(not judged) not-understood"],
  ])("%s: %s", (text, expected) => {
    expect(read(text)).toEqual([expected]);
  });

  it("each command has its own", () => {
    expect(read("`grep -c x a.md` >= 1 AND `grep -c y a.md` returns 0")).toEqual([
      "(should print a number >= 1)",
      "(should print 0)",
    ]);
    expect(read("- Old: `grep x a.md` returns nothing\n- Tests: `npm test`")).toEqual([
      "(should print nothing)",
      "exit 0",
    ]);
    expect(read("`grep x a.md` returns empty; lint: `npm run lint`")).toEqual([
      "(should print nothing)",
      "exit 0",
    ]);
    expect(read("`npm test` or `pnpm test`")).toEqual([
      "(not judged) not-understood",
      "(not judged) not-understood",
    ]);
    expect(read("```sh\ngrep -c x a.md\n```\nreturns 3")).toEqual(["(should print 3)"]);
  });
});

describe("what is not run, and why", () => {
  it.each([
    ["", "empty"],
    [" \n", "empty"],
    ["It works.", "prose"],
    ["Manual test of the page", "manual"],
    ["manually run `npm start` and click", "manual"],
    ["Open the browser, then `npm start`", "manual"],
    ["Compare both by hand", "manual"],
    ["`npm start` (manual)", "manual"],
    ["Manual test: run `/plugin:research` and answer", "manual"],
    ["Run `/plugin:research` and answer", "slash-command"],
    ['`/plugin:new demo "a goal"`', "slash-command"],
    ["`/status`", "slash-command"],
  ])("%j: %s", (text, kind) => {
    const { checks, nothing } = parseVerify(text);
    expect(checks).toEqual([]);
    expect(nothing).toMatchObject({ kind, fix: expect.stringMatching(/\.$/) as string });
  });

  it("a path, a file that is called manual, and a step that is not manual are run", () => {
    expect(parseCommands("`/usr/bin/env node a.js`")).toHaveLength(1);
    expect(parseCommands("`grep -q x docs/manual.md`")).toHaveLength(1);
  });
});

describe("what proves nothing, however it ends", () => {
  it.each([
    "echo done.",
    "true",
    "git status",
    "git log --oneline -3",
    "git diff HEAD~1",
    "npm test || true",
    "npm test || :",
    "npm test; true",
    "npm test; echo $?",
    "npm test || echo failed",
    "npm test | cat",
    "npm test 2>&1 | tail -5",
    "npm test | tee a.log | head -n 20",
    "grep -n x a.md | wc -l",
    'grep -c x a.md | awk \'{print ($1 > 2) ? "PASS" : "FAIL"}\'',
    "cd app && npm test | tail -3",
    "npm test && echo PASS || echo FAIL",
    "npm test && echo OK; rm -rf tmp",
    "for f in a b; do grep -q x $f || echo $f; done",
    "bash -c 'npm test; echo $?'",
    "npm run build\nnpm test\necho done",
  ])("%s", (command) => {
    expect(read(`\`${command}\``)).toEqual(["exit 0 cannot-fail"]);
  });

  it.each([
    "npm test",
    "npm test && echo PASS",
    "npm test | tail -5 | grep -q passed",
    "set -o pipefail; npm test | tail -5",
    "npm test || exit 1",
    "npm test || { echo no; exit 1; }",
    "npm test || false",
    "! grep -q '|| true' a.sh",
    'grep -q "a || true" a.sh',
    "git diff --exit-code",
    "git diff --quiet HEAD",
    "ls dist",
    "cat a.md",
    "wc -l < a.md",
    "head -5 a.md",
    "npm run lint && npm test | tail -3",
    "echo a | grep -q a",
    'test -n "$(git log | head -1)"',
    "cat <<EOF | tail\nEOF",
    "if npm test; then echo a; fi",
    "A=$(npm test)",
    "grep -c x a.md | awk '$1 < 3 {exit 1}'",
  ])("may fail: %s", (command) => {
    expect(read(`\`\`\`sh\n${command}\n\`\`\``)).toEqual(["exit 0"]);
  });

  it("what is expected of the output makes it a check, unless that is always the same", () => {
    expect(read("`git status --short` prints nothing")).toEqual(["(should print nothing)"]);
    expect(read("`echo DONE` prints DONE")).toEqual(['(should print "DONE") cannot-fail']);
  });

  it("what can never be met is not judged", () => {
    expect(read("`npm test | tail -5` fails")).toEqual(["(not judged) cannot-fail"]);
  });
});

it("formats a check as one text, and exit 0 as the command alone", () => {
  const [check] = parseVerify("`grep -c x a` >= 2").checks;
  expect(check && formatCheck(check)).toBe("grep -c x a (should print a number >= 2)");
  const [plain] = parseVerify("`npm test` passes").checks;
  expect(plain && formatCheck(plain)).toBe("npm test");
});

const WORD = fc.constantFrom(
  ..."` `npm test` ``` returns nothing no not 3 >= or ( ) \" ' | ; && # \\ $( manual /a:b should fail «0» İ".split(
    " ",
  ),
  "\n",
  "\n- ",
);

it("never throws, and runs what parseCommands gives", () => {
  fc.assert(
    fc.property(fc.array(fc.oneof(WORD, fc.string()), { maxLength: 30 }), (words) => {
      const text = words.join(" ");
      const { checks, nothing } = parseVerify(text);
      expect(checks.map(({ command }) => command)).toEqual(parseCommands(text));
      expect(isCommand(text)).toBe(nothing === undefined);
    }),
  );
});
