import { describe, expect, it } from "vitest";
import { parseReceipt, renderReceipt } from "../run/claim/receipt-table.ts";
import { planReceipt } from "../run/claim/receipt.ts";
import { fitEvidence } from "../run/claim/verification.ts";
import type { Entry, EventName } from "../run/journal.ts";
import { startLoop } from "../run/loop.ts";
import { defaultSettings } from "../run/settings.ts";
import { parseTasks } from "../tasks/parse.ts";
import { parseRequirements } from "./requirements.ts";
import { planTrace, type TraceSources } from "./trace.ts";

const loop = startLoop("s", {}, undefined, { at: "", runId: "r" });
const entry = (event: EventName, task: string, more: object = {}): Entry => ({
  at: "2026-01-01T00:00:00.000Z",
  event,
  task,
  loop,
  ...more,
});
const proof = (outcome: "passed" | "failed") => ({
  command: "npm test",
  outcome,
  exitCode: outcome === "passed" ? 0 : 1,
  milliseconds: 1,
  commit: "abcdef0123456789",
  tail: "",
});

const REQUIREMENTS = "### US-1: Export\n\n- AC-1.1: one\n- SC-1: fast\n\n### FR-02: Print\n";
const TASKS = `- [x] 1.1 Write for AC-1.1
  - **Verify**: \`npm test\`
- [x] 1.2 Read
- [x] 1.3 By hand
- [x] 1.4 Failed
- [ ] 1.5 Open for FR-9
`;
const ENTRIES = [
  entry("done", "1.1", { evidence: [proof("passed")] }),
  entry("done", "1.2", { note: "no Verify" }),
  entry("done", "1.4", { evidence: [proof("failed")] }),
];
const list = parseTasks(TASKS);
const trace = (sources: Partial<TraceSources> = {}) =>
  planTrace({
    list,
    requirements: parseRequirements(REQUIREMENTS),
    entries: ENTRIES,
    receipt: [],
    history: { kind: "whole", commits: new Set(["abcdef012"]) },
    settings: defaultSettings,
    paths: { spec: ".", requirements: "r.md", tasks: "t.md" },
    ...sources,
  });
const standings = (sources?: Partial<TraceSources>): string =>
  trace(sources)
    .tasks.map(({ standing }) => standing)
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
  expect(tasks[0]).toEqual({
    id: "1.1",
    title: "Write for AC-1.1",
    line: 1,
    role: "work",
    standing: "proven",
    commit: "abcdef0123456789",
    evidence: [{ command: "npm test", outcome: "passed" }],
    note: null,
    caveat: null,
    requirements: ["US-1", "AC-1.1"],
  });
  expect(standings()).toBe("proven reported unproven failed open");
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
  const { requirements, problems } = trace({ requirements: [] });
  expect(requirements).toEqual([]);
  expect(problems.map(({ code }) => code)).toEqual(["no-evidence", "no-evidence"]);
});

it("uses the receipt if there is no journal, and only for ticked boxes", () => {
  const receipt = parseReceipt(`## Receipt\n\n${renderReceipt(planReceipt(list, ENTRIES))}\n`);
  expect(standings({ entries: [], receipt })).toBe(standings());
  expect(trace({ entries: [], receipt }).tasks[0]).toMatchObject({ commit: "abcdef012" });
  const cleared = parseTasks(TASKS.replace("[x] 1.1", "[ ] 1.1"));
  expect(standings({ list: cleared, entries: [], receipt })).toMatch(/^open /);
  expect(standings({ entries: [], receipt: [] })).toBe("unproven unproven unproven unproven open");
});

describe("a receipt that someone wrote by hand", () => {
  const receiptOf = (verify: string, result: string, commit: string) =>
    parseReceipt(
      `## Receipt\n\n| task | done | attempts | verify | result | commit | time |\n|---|---|---:|---|---|---|---:|\n| 1.1 | yes | 1 | ${verify} | ${result} | ${commit} | 1 s |\n`,
    );
  const [first = ""] = TASKS.split("- [x] 1.2");
  const judged = (
    verify: string,
    result: string,
    commit: string,
    sources: Partial<TraceSources> = {},
  ) => {
    const { tasks, problems, unchecked } = trace({
      list: parseTasks(first),
      requirements: [],
      entries: [],
      receipt: receiptOf(verify, result, commit),
      ...sources,
    });
    return [tasks[0]?.standing, problems[0]?.message, ...unchecked];
  };

  it.each([
    ["`npm test`", "passed", "abcdef012", "proven", undefined],
    [
      "`true`",
      "passed",
      "abcdef012",
      "unproven",
      "1.1 is ticked, but its receipt is about `true`, and its Verify is `npm test`.",
    ],
    [
      "`npm test`<br>`true`",
      "passed<br>passed",
      "abcdef012",
      "unproven",
      "1.1 is ticked, but its receipt is about `npm test`, `true`, and its Verify is `npm test`.",
    ],
    [
      "",
      "no Verify",
      "",
      "unproven",
      "1.1 is ticked, but its receipt is about nothing that can be run, and its Verify is `npm test`.",
    ],
    [
      "`npm test`",
      "passed",
      "1234567",
      "unproven",
      "1.1 is ticked, but the commit of its receipt, 1234567, is not in this repository.",
    ],
    ["`npm test`", "passed", "", "unproven", "1.1 is ticked, but its receipt names no commit."],
    ["`npm test`", "failed", "1", "failed", "1.1 is ticked, but its Verify `npm test` failed."],
  ])("%s %s %s", (verify, result, commit, standing, message) => {
    expect(judged(verify, result, commit)).toEqual([standing, message]);
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

  it.each([
    "a | b \\| c",
    "echo `date`",
    "a  b\n\nc\td",
    `x ${"y".repeat(20_000)}`,
    "``a`` <br> |",
  ])("is as good as ours for %j", (command) => {
    const own = parseTasks(
      `- [x] 1.1 a\n  - **Verify**:\n    ~~~sh\n    ${command.replaceAll("\n", "\n    ")}\n    ~~~\n`,
    );
    const evidence = fitEvidence([{ ...proof("passed"), command }]);
    const lines = planReceipt(own, [entry("done", "1.1", { evidence })]);
    const receipt = parseReceipt(`## Receipt\n\n${renderReceipt(lines)}\n`);
    expect(trace({ list: own, requirements: [], entries: [], receipt }).problems).toEqual([]);
  });

  it("of an older version has one space for any number", () => {
    const own = parseTasks("- [x] 1.1 a\n  - **Verify**: `grep -q  'a  b' x`\n");
    const standing = (verify: string): unknown =>
      judged(verify, "passed", "abcdef012", { list: own })[0];
    expect(standing("`grep -q  'a  b' x`")).toBe("proven");
    expect(standing("`grep -q 'a b' x`")).toBe("proven");
    expect(standing("`grep -q  'a b' x`")).toBe("unproven");
  });
});

it("believes the journal if it has something to say", () => {
  const receipt = parseReceipt(`## Receipt\n\n${renderReceipt(planReceipt(list, ENTRIES))}\n`);
  expect(standings({ entries: [entry("undone", "1.1")], receipt })).toMatch(/^unproven reported /);
  expect(standings({ entries: [entry("continue", "1.1")], receipt })).toMatch(/^proven /);
});

describe("what is known about a ticked task", () => {
  const passed = (more: object = {}) => ({
    evidence: [{ ...proof("passed"), ...more }],
  });
  const before = (outcome: "passed" | "failed") =>
    entry("before", "1.1", { evidence: [proof(outcome)] });
  it.each<[string, Entry[], string, string | null, string | undefined]>([
    ["committed", [entry("done", "1.1", passed({ tree: "clean" }))], "proven", null, undefined],
    [
      "with other files uncommitted",
      [entry("done", "1.1", passed({ tree: "dirty" }))],
      "proven",
      "other files were uncommitted when it ran",
      undefined,
    ],
    [
      "without git",
      [entry("done", "1.1", passed({ tree: "no-git", commit: "" }))],
      "proven",
      "without git: no commit says what was checked",
      undefined,
    ],
    [
      "not committed",
      [entry("done", "1.1", passed({ tree: "uncommitted" }))],
      "unproven",
      "its work was not committed when it ran",
      "uncommitted-evidence 1.1 is ticked, but when its Verify passed (at abcdef012), its work was not committed.",
    ],
    ["red before", [before("failed"), entry("done", "1.1", passed())], "proven", null, undefined],
    [
      "green before",
      [before("passed"), entry("done", "1.1", passed())],
      "proven",
      "passed before the work: proves little",
      undefined,
    ],
    [
      "accepted",
      [entry("accepted", "1.1", { note: "accepted by the user" })],
      "accepted",
      null,
      undefined,
    ],
    [
      "ticked before",
      [entry("ticked", "1.1", { note: "ticked before the run" })],
      "unproven",
      null,
      "no-evidence 1.1 is ticked, but nothing proves it.",
    ],
  ])("%s", (name, entries, standing, caveat, problem) => {
    const own = parseTasks("- [x] 1.1 a\n  - **Verify**: `npm test`\n");
    const kind = name === "without git" ? "none" : "whole";
    const history = { kind, commits: new Set(["abcdef012"]) } as const;
    const ask = { list: own, requirements: [], history };
    const receipt = parseReceipt(`## Receipt\n\n${renderReceipt(planReceipt(own, entries))}\n`);
    for (const sources of [
      { ...ask, entries },
      { ...ask, entries: [], receipt },
    ]) {
      const { tasks, problems } = trace(sources);
      expect(tasks).toMatchObject([{ standing, caveat }]);
      expect(problems.map(({ code, message }) => `${code} ${message}`)).toEqual(
        problem === undefined ? [] : [problem],
      );
    }
  });
});
