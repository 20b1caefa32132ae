import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type Comparison, type Expectation, judgeRun } from "./expectation.ts";

const exit = (code: number): Expectation => ({ kind: "exit", code });
const prints = (text: string): Expectation => ({ kind: "prints", text });
const contains = (text: string): Expectation => ({ kind: "contains", text });
const number = (is: Comparison, value: number): Expectation => ({ kind: "number", is, value });
const lines = (is: Comparison, value: number): Expectation => ({ kind: "lines", is, value });
const FAILS: Expectation = { kind: "fails" };
const SILENT: Expectation = { kind: "silent" };

type Case = [expects: Expectation, exitCode: number | null, stdout: string, stderr?: string];

describe("judgeRun", () => {
  it.each<Case>([
    [exit(0), 0, "anything", "warnings too"],
    [exit(2), 2, ""],
    [FAILS, 1, "", "1 failing"],
    [SILENT, 0, ""],
    [SILENT, 1, "\n"],
    [prints("demo"), 0, "demo\n"],
    [prints('"demo"'), 0, "demo\n"],
    [prints("demo"), 0, '"demo"\n'],
    [prints("PASS"), 0, "3 files\nPASS\n"],
    [prints("false"), 0, "False\n"],
    [contains("b c"), 0, "a b c d"],
    [number("=", 3), 0, " 3\n"],
    [number("=", 0), 1, "0\n"],
    [number("=", 0), 0, "0\n0\n"],
    [number(">=", 2), 0, "2"],
    [number("<=", 2), 0, "2"],
    [number(">", 2), 0, "3"],
    [number("<", 0), 0, "-1.5"],
    [number("=", 12), 0, "      12 src/a.ts\n"],
    [number(">=", 1), 0, "a.md:1\nb.md:2\n"],
    [lines("=", 2), 0, "a\n\nb\n"],
    [lines("=", 0), 1, ""],
    [{ kind: "any" }, 127, "", "sh: not found"],
  ])("%j is met by exit %j, %j, %j", (expects, exitCode, stdout, stderr = "") => {
    expect(judgeRun(expects, { exitCode, stdout, stderr })).toBeUndefined();
  });

  it.each<[...Case, string] | [Expectation, number | null, string, string, string]>([
    [exit(0), 1, "", "", "it ended with exit code 1, not 0"],
    [exit(0), null, "", "", "it was killed"],
    [exit(127), 127, "", "", "it could not be run (exit code 127)"],
    [FAILS, 0, "", "", "it passed, and should fail"],
    [FAILS, 127, "", "", "it could not be run (exit code 127)"],
    [SILENT, 0, "a:1", "", 'it should print nothing, and printed "a:1"'],
    [SILENT, 2, "", "", "it should print nothing, but it ended with exit code 2"],
    [SILENT, 1, "", "no such file", "it should print nothing, but it ended with exit code 1"],
    [SILENT, 0, "", "odd", 'it printed an error: "odd"'],
    [prints("demo"), 0, "demo 2", "", 'it should print "demo", and printed "demo 2"'],
    [prints("demo"), 0, "", "", 'it should print "demo", and printed nothing'],
    [prints("PASS"), 0, "PASS\nFAIL", "", 'it should print "PASS", and printed "PASS FAIL"'],
    [prints("demo"), 1, "demo", "", "it ended with exit code 1"],
    [contains("x"), 0, "a", "", 'its output should contain "x", and was "a"'],
    [contains("x"), 3, "x", "", "it ended with exit code 3"],
    [number("=", 3), 0, "4", "", "it should print 3, and printed 4"],
    [number(">=", 3), 1, "0", "", "it should print a number >= 3, and printed 0"],
    [number("=", 0), 0, "", "", "it should print a number, and printed nothing"],
    [number("=", 3), 0, "3 of 4 files", "", 'it should print a number, and printed "3 of 4 files"'],
    [number("=", 0), 2, "0", "", "it ended with exit code 2"],
    [number("=", 0), 1, "0", "no such file", "it ended with exit code 1"],
    [number(">=", 2), 0, "a:1\nb:2", "", "it should print a number >= 2, and printed 1"],
    [lines("=", 1), 0, "a\nb", "", "it should print 1 line, and printed 2"],
    [lines(">", 1), 2, "a\nb", "", "it ended with exit code 2"],
  ])("%j is not met by exit %j, %j, %j: %s", (expects, exitCode, stdout, stderr, why) => {
    expect(judgeRun(expects, { exitCode, stdout, stderr: stderr ?? "" })).toBe(why);
  });

  it("a number is met by itself and compared as numbers are", () => {
    fc.assert(
      fc.property(fc.integer(), fc.integer(), (given, value) => {
        const met = (is: Comparison): boolean =>
          judgeRun(number(is, value), { exitCode: 0, stdout: `${given}\n`, stderr: "" }) ===
          undefined;
        expect([met("="), met(">="), met("<")]).toEqual([
          given === value,
          given >= value,
          given < value,
        ]);
      }),
    );
  });
});
