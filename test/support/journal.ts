import { planFacts, type SpecFacts } from "../../src/facts/spec-facts.ts";
import { planSummary, type Summary, type SummaryFacts } from "../../src/facts/summary.ts";
import { planTasks, type TaskFacts, type TaskSources } from "../../src/facts/task-facts.ts";
import type { Evidence } from "../../src/run/claim/evidence.ts";
import type { Entry, EventName } from "../../src/run/journal.ts";
import { startLoop } from "../../src/run/loop.ts";
import { defaultSettings } from "../../src/run/settings.ts";
import type { TaskList } from "../../src/tasks/model.ts";

export const LOOP = startLoop("s", {}, undefined, { at: "", runId: "r" });

/** A line of a journal; `more` may have another time. */
export const entryOf = (
  event: EventName,
  task: string | undefined,
  more: Partial<Entry> = {},
): Entry => ({
  at: "2026-01-01T00:00:00.000Z",
  event,
  ...(task === undefined ? {} : { task }),
  loop: { ...LOOP, task: task ?? null },
  ...more,
});

/** A command that we ran. */
export const ranWith = (outcome: Evidence["outcome"], more: Partial<Evidence> = {}): Evidence => ({
  command: "npm test",
  outcome,
  exitCode: outcome === "passed" ? 0 : 1,
  milliseconds: 900,
  commit: "abcdef0123456789",
  tree: "clean",
  tail: "",
  ...more,
});

/** What the journal of a proven task says: its Verify failed, there is a commit, and its Verify passes. */
export const provenIn = (task: string, command = "npm test"): Entry[] => [
  entryOf("before", task, { evidence: [ranWith("failed", { command })] }),
  entryOf("done", task, {
    evidence: [ranWith("passed", { command })],
    commits: ["abcdef0123456789"],
  }),
];

/** A spec about which only the journal knows something, unless `more` says otherwise. */
export const sourcesOf = (
  list: TaskList,
  entries: readonly Entry[],
  more: Partial<TaskSources> = {},
): TaskSources => ({
  list,
  entries,
  agreed: undefined,
  skipped: new Set(),
  receipt: [],
  history: { kind: "whole", commits: new Set(["abcdef012", "abcdef0123456789"]) },
  settings: defaultSettings,
  ...more,
});

export const tasksOf = (...sources: Parameters<typeof sourcesOf>): TaskFacts[] =>
  planTasks(sourcesOf(...sources));

export const factsOf = (...sources: Parameters<typeof sourcesOf>): SpecFacts =>
  planFacts("demo", sourcesOf(...sources));

/** The same with what the spec's documents and git say. */
export const summaryOf = (
  list: TaskList,
  entries: readonly Entry[],
  more: Partial<SummaryFacts> = {},
): Summary =>
  planSummary({
    list,
    entries,
    facts: factsOf(list, entries),
    goal: undefined,
    progress: "",
    isSettled: () => false,
    work: undefined,
    ...more,
  });
