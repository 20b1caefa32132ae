import { expect, it } from "vitest";
import { parseTasks } from "../tasks/parse.ts";
import type { Entry, EventName } from "./journal.ts";
import { beginLoop } from "./loop.ts";
import { parseReceipt, planReceipt, renderReceipt } from "./receipt.ts";
import { planTrace, type TraceSources } from "./trace.ts";

const loop = beginLoop("s", {}, undefined, { at: "", runId: "r" });
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

const REQUIREMENTS = "### US-1: Export\n\n- AC-1.1: one\n- SC-1: fast\n\n### FR-2: Print\n";
const TASKS = `- [x] 1.1 Write for AC-1.1
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
    requirements: REQUIREMENTS,
    entries: ENTRIES,
    receipt: [],
    paths: { requirements: "r.md", tasks: "t.md" },
    ...sources,
  });
const standings = (sources?: Partial<TraceSources>): string =>
  trace(sources)
    .tasks.map(({ standing }) => standing)
    .join(" ");

it("goes from requirements to tasks, commits and evidence", () => {
  const { requirements, tasks } = trace();
  expect(requirements).toEqual([
    { id: "US-1", title: "Export", line: 1, required: true, tasks: ["1.1"] },
    { id: "AC-1.1", title: "one", line: 3, required: true, tasks: ["1.1"] },
    { id: "SC-1", title: "fast", line: 4, required: false, tasks: [] },
    { id: "FR-2", title: "Print", line: 6, required: true, tasks: [] },
  ]);
  expect(tasks[0]).toEqual({
    id: "1.1",
    title: "Write for AC-1.1",
    line: 1,
    standing: "proven",
    commit: "abcdef0123456789",
    evidence: [{ command: "npm test", outcome: "passed" }],
    note: null,
    requirements: ["US-1", "AC-1.1"],
  });
  expect(standings()).toBe("proven reported unproven failed open");
});

it("names each problem with its file and line", () => {
  expect(
    trace().problems.map(({ target, code, message }) => `${target} ${code} ${message}`),
  ).toEqual([
    "r.md:6 uncovered-requirement FR-2 (Print) has no task.",
    "t.md:5 unknown-requirement 1.5 refers to FR-9, which is not defined.",
    "t.md:3 no-evidence 1.3 is ticked, but nothing proves it.",
    "t.md:4 no-evidence 1.4 is ticked, but its Verify `npm test` failed.",
  ]);
});

it("looks at tasks alone where there are no requirements", () => {
  const { requirements, problems } = trace({ requirements: undefined });
  expect(requirements).toEqual([]);
  expect(problems.map(({ code }) => code)).toEqual(["no-evidence", "no-evidence"]);
});

it("takes the receipt where there is no journal, and only for ticked boxes", () => {
  const receipt = parseReceipt(`## Receipt\n\n${renderReceipt(planReceipt(list, ENTRIES))}\n`);
  expect(standings({ entries: [], receipt })).toBe(standings());
  expect(trace({ entries: [], receipt }).tasks[0]).toMatchObject({ commit: "abcdef012" });
  const cleared = parseTasks(TASKS.replace("[x] 1.1", "[ ] 1.1"));
  expect(standings({ list: cleared, entries: [], receipt })).toMatch(/^open /);
  expect(standings({ entries: [], receipt: [] })).toBe("unproven unproven unproven unproven open");
});

it("believes the journal where it has something to say", () => {
  const receipt = parseReceipt(`## Receipt\n\n${renderReceipt(planReceipt(list, ENTRIES))}\n`);
  expect(standings({ entries: [entry("undone", "1.1")], receipt })).toMatch(/^unproven reported /);
  expect(standings({ entries: [entry("continue", "1.1")], receipt })).toMatch(/^proven /);
});
