import { describe, expect, it } from "vitest";
import { entriesOf, formatBaseline, parseBaseline, splitProblems } from "./baseline.ts";
import type { TraceProblem } from "./trace.ts";

const problem = (code: string, about: string, line = 1): TraceProblem => ({
  severity: "error",
  code,
  about,
  message: "",
  fix: "",
  file: "tasks",
  line,
  target: `t.md:${line}`,
});

it("is in a fixed order, each problem once and on a line of its own", () => {
  const entries = entriesOf([
    problem("no-evidence", "1.10"),
    problem("no-evidence", "1.9"),
    problem("no-evidence", "1.9", 7),
  ]);
  expect(entries).toEqual(["no-evidence 1.9", "no-evidence 1.10"]);
  const text = formatBaseline(
    new Map([
      ["b", entries],
      ["a", ["uncovered-requirement FR-001"]],
      ["empty", []],
    ]),
  );
  expect(text.split("\n").slice(2)).toEqual([
    '  "specs": {',
    '    "a": [',
    '      "uncovered-requirement FR-001"',
    "    ],",
    '    "b": [',
    '      "no-evidence 1.9",',
    '      "no-evidence 1.10"',
    "    ]",
    "  }",
    "}",
    "",
  ]);
  expect(formatBaseline(parseBaseline(text) ?? new Map())).toBe(text);
});

it("splits problems into new and known, and names what is fixed", () => {
  const problems = [problem("no-evidence", "1.1", 3), problem("no-evidence", "1.2")];
  expect(splitProblems(problems, ["no-evidence 1.1", "no-evidence 1.3"])).toEqual({
    problems: [problems[1]],
    known: [problems[0]],
    stale: ["no-evidence 1.3"],
  });
});

describe("what is not a baseline", () => {
  it.each(["", "{}", "[]", "null", '{"specs":[]}', '{"specs":{"a":"b"}}', '{"specs":{"a":[1]}}'])(
    "%j",
    (text) => {
      expect(parseBaseline(text)).toBeUndefined();
    },
  );
});
