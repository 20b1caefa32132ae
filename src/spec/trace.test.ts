import { describe, expect, it } from "vitest";
import { entryOf, factsOf, ranWith } from "../../test/support/journal.ts";
import { parseReceipt } from "../facts/receipt-table.ts";
import { formatReceipt, parseReceiptFile } from "../facts/receipt.ts";
import type { TaskSources } from "../facts/task-facts.ts";
import type { Entry } from "../run/journal.ts";
import { defaultSettings } from "../run/settings.ts";
import type { TaskList } from "../tasks/model.ts";
import { parseTasks } from "../tasks/parse.ts";
import { parseRequirements } from "./requirements.ts";
import { planTrace, type Trace } from "./trace.ts";

const REQUIREMENTS = "### US-1: Export\n\n- AC-1.1: one\n- SC-1: fast\n\n### FR-02: Print\n";
const TASKS = `- [x] 1.1 Write for AC-1.1
  - **Verify**: \`npm test\`
- [x] 1.2 Read
- [x] 1.3 By hand
- [x] 1.4 Failed
- [ ] 1.5 Open for FR-9
`;
const ENTRIES = [
  entryOf("before", "1.1", { evidence: [ranWith("failed")] }),
  entryOf("done", "1.1", { evidence: [ranWith("passed")] }),
  entryOf("done", "1.2", { note: "no Verify" }),
  entryOf("done", "1.4", { evidence: [ranWith("failed")] }),
];

interface Given extends Partial<TaskSources> {
  readonly requirements?: string;
  readonly isStrict?: boolean;
}

const trace = (given: Given = {}): Trace => {
  const { requirements = REQUIREMENTS, isStrict = false, ...sources } = given;
  const list: TaskList = sources.list ?? parseTasks(TASKS);
  return planTrace({
    list,
    requirements: parseRequirements(requirements),
    facts: factsOf(list, sources.entries ?? ENTRIES, sources),
    paths: { spec: ".", requirements: "r.md", tasks: "t.md" },
    isStrict,
  });
};
const classes = (given?: Given): string =>
  trace(given)
    .tasks.map((task) => task.class)
    .join(" ");

const US1 = { required: true, standing: "proven", tasks: ["1.1"], checks: [] };
const NONE = { required: false, standing: null, tasks: [], checks: [] };

it("goes from requirements to tasks, commits and evidence", () => {
  const { requirements, tasks } = trace();
  expect(requirements).toEqual([
    { ...US1, id: "US-1", written: "US-1", title: "Export", line: 1 },
    { ...US1, id: "AC-1.1", written: "AC-1.1", title: "one", line: 3 },
    { ...NONE, id: "SC-1", written: "SC-1", title: "fast", line: 4 },
    {
      ...NONE,
      id: "FR-2",
      written: "FR-02",
      title: "Print",
      line: 6,
      required: true,
      standing: "unproven",
    },
  ]);
  expect(tasks[0]).toMatchObject({
    id: "1.1",
    title: "Write for AC-1.1",
    line: 1,
    role: "work",
    class: "proven",
    weakness: null,
    commit: "abcdef0123456789",
    evidence: [{ command: "npm test", outcome: "passed" }],
    note: null,
    requirements: ["US-1", "AC-1.1"],
  });
  expect(classes()).toBe("proven reported reported failed open");
});

it("names each problem with its file and line", () => {
  expect(
    trace().problems.map(({ target, code, message }) => `${target} ${code} ${message}`),
  ).toEqual([
    "r.md:6 uncovered-requirement FR-02 (Print) has no task.",
    "t.md:6 unknown-requirement 1.5 refers to FR-9, which is not defined.",
    "t.md:4 no-evidence 1.3 is ticked, but nothing proves it.",
    "t.md:5 no-evidence 1.4 is ticked, but its Verify `npm test` failed.",
  ]);
});

it("looks only at tasks if there are no requirements", () => {
  const { requirements, problems } = trace({ requirements: "" });
  expect(requirements).toEqual([]);
  expect(problems.map(({ code }) => code)).toEqual(["no-evidence", "no-evidence"]);
});

it("uses the receipt if there is no journal, and only for ticked boxes", () => {
  const { tasks } = factsOf(parseTasks(TASKS), ENTRIES);
  const receipt = parseReceiptFile(formatReceipt("demo", tasks, []));
  expect(classes({ entries: [], receipt })).toBe(classes());
  const cleared = parseTasks(TASKS.replace("[x] 1.1", "[ ] 1.1"));
  expect(classes({ list: cleared, entries: [], receipt })).toMatch(/^open /);
  expect(classes({ entries: [], receipt: [] })).toBe("reported reported reported reported open");
});

it("believes the journal if it has something to say", () => {
  const { tasks } = factsOf(parseTasks(TASKS), ENTRIES);
  const receipt = parseReceiptFile(formatReceipt("demo", tasks, []));
  expect(classes({ entries: [entryOf("undone", "1.1")], receipt })).toMatch(/^reported reported /);
  expect(classes({ entries: [entryOf("continue", "1.1")], receipt })).toMatch(/^proven /);
});

describe("a receipt that someone wrote by hand", () => {
  const [first = ""] = TASKS.split("- [x] 1.2");
  const judged = (verify: string, result: string, commit: string, given: Given = {}) => {
    const { tasks, problems, unchecked } = trace({
      list: parseTasks(first),
      requirements: "",
      entries: [],
      receipt: parseReceipt(
        `## Receipt\n\n| task | done | attempts | verify | before | result | commit | time |\n|---|---|---:|---|---|---|---|---:|\n| 1.1 | yes | 1 | ${verify} | failed | ${result} | ${commit} | 1 s |\n`,
      ),
      ...given,
    });
    return [tasks[0]?.class, problems[0]?.message, ...unchecked];
  };

  it.each([
    ["`npm test`", "passed", "abcdef012", "proven", undefined],
    [
      "`true`",
      "passed",
      "abcdef012",
      "reported",
      "1.1 is ticked, but its receipt is about `true`, and its Verify is `npm test`.",
    ],
    [
      "`npm test`<br>`true`",
      "passed<br>passed",
      "abcdef012",
      "reported",
      "1.1 is ticked, but its receipt is about `npm test`, `true`, and its Verify is `npm test`.",
    ],
    [
      "",
      "no Verify",
      "",
      "reported",
      "1.1 is ticked, but its receipt is about nothing that can be run, and its Verify is `npm test`.",
    ],
    [
      "`npm test`",
      "passed",
      "1234567",
      "reported",
      "1.1 is ticked, but the commit of its receipt, 1234567, is not in this repository.",
    ],
    ["`npm test`", "passed", "", "reported", "1.1 is ticked, but its receipt names no commit."],
    ["`npm test`", "failed", "1", "failed", "1.1 is ticked, but its Verify `npm test` failed."],
  ])("%s %s %s", (verify, result, commit, is, message) => {
    expect(judged(verify, result, commit)).toEqual([is, message]);
  });

  it("is not refused for a commit that cannot be checked, and says so", () => {
    for (const kind of ["none", "part"] as const) {
      const history = { kind, commits: new Set(["abcdef012"]) };
      expect(judged("`npm test`", "passed", "1234567", { history })).toEqual([
        "proven",
        undefined,
        "1.1",
      ]);
      expect(judged("`npm test`", "passed", "abcdef012", { history })).toEqual([
        "proven",
        undefined,
      ]);
    }
    const history = { kind: "none", commits: new Set<string>() } as const;
    expect(judged("`npm test`", "passed", "", { history })).toEqual(["proven", undefined]);
  });

  it("may be without a command if the settings keep it from running", () => {
    const settings = { ...defaultSettings, evidence: "off" } as const;
    expect(judged("", "its Verify was not run: evidence is off", "", { settings })[0]).toBe(
      "reported",
    );
    expect(judged("`npm test`", "passed", "abcdef012", { settings })[0]).toBe("proven");
  });
});

describe("what is known about a ticked task", () => {
  const red = entryOf("before", "1.1", { evidence: [ranWith("failed")] });
  const green = entryOf("before", "1.1", { evidence: [ranWith("passed")] });
  const passed = (more: Parameters<typeof ranWith>[1] = {}): Entry =>
    entryOf("done", "1.1", { evidence: [ranWith("passed", more)] });
  it.each<[string, Entry[], string, string | null, string[]]>([
    ["committed", [red, passed()], "proven", null, []],
    ["with other files uncommitted", [red, passed({ tree: "dirty" })], "proven", null, []],
    [
      "without git",
      [red, passed({ tree: "no-git", commit: "" })],
      "checked",
      "without git, no commit says what was checked",
      ["not-proven"],
    ],
    [
      "not committed",
      [red, passed({ tree: "uncommitted" })],
      "checked",
      "its work was not committed",
      ["uncommitted-evidence"],
    ],
    [
      "never tried before",
      [passed()],
      "checked",
      "nobody saw its Verify fail before the work",
      ["not-proven"],
    ],
    [
      "green before",
      [green, passed()],
      "checked",
      "its Verify passed before the work",
      ["not-proven"],
    ],
    [
      "accepted",
      [entryOf("accepted", "1.1", { note: "accepted by the user" })],
      "accepted",
      null,
      [],
    ],
    [
      "ticked, with nothing to run",
      [entryOf("ticked", "1.1", { note: "ticked by hand, nothing to run" })],
      "reported",
      null,
      ["not-proven"],
    ],
  ])("%s", (name, entries, is, weakness, strict) => {
    // Without --strict it has to hold, but not to be proven.
    const found = strict.filter((code) => code !== "not-proven");
    const list = parseTasks(
      name.endsWith("to run") ? "- [x] 1.1 a\n" : "- [x] 1.1 a\n  - **Verify**: `npm test`\n",
    );
    const history = {
      kind: name === "without git" ? "none" : "whole",
      commits: new Set(["abcdef0123456789"]),
    } as const;
    const { tasks } = factsOf(list, entries);
    const receipt = parseReceiptFile(formatReceipt("demo", tasks, []));
    for (const sources of [{ entries }, { entries: [], receipt }]) {
      const given = { list, history, requirements: "", ...sources };
      const codes = (isStrict: boolean): string[] =>
        trace({ ...given, isStrict }).problems.map(({ code }) => code);
      expect(trace(given).tasks).toMatchObject([{ class: is, weakness }]);
      expect(codes(false)).toEqual(found);
      expect(codes(true)).toEqual(strict);
    }
  });
});
