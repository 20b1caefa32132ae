import { readHistory } from "../git/history.ts";
import { parseReceipt } from "../run/claim/receipt-table.ts";
import { planTrace, selectRows, type Trace } from "../spec/trace.ts";
import { readDocument, readRequirements } from "../store/documents.ts";
import { readAllEntries, readTasks } from "../store/spec-files.ts";
import { shownPath, type Spec } from "../store/spec.ts";
import { Refusal } from "./refusal.ts";
import { applyBaseline, type KnownProblems } from "./trace-baseline.ts";
import { tasksOf } from "./with-run.ts";

/** A spec, and its trace as far as there is anything to follow. */
export interface SpecTrace extends Trace, KnownProblems {
  readonly spec: string;
  readonly path: string;
  /** Where the requirements are; null if there is no such document. */
  readonly document: string | null;
  /** Why there is nothing to trace. */
  readonly skipped: string | null;
}

const NO_HISTORY = { kind: "none", commits: new Set<string>() } as const;

/** `recorded` is where its journal is: that of a spec in a temporary work tree is elsewhere. */
export function traceSpec(spec: Spec, recorded: Spec | null = spec): SpecTrace {
  const { requirements: name } = spec.project.layout;
  const asked = readRequirements(spec);
  if (asked.unreadable !== undefined) throw new Refusal("broken", asked.unreadable);
  const list = tasksOf(spec, readTasks(spec));
  const entries = recorded === null ? [] : readAllEntries(recorded);
  const receipt = parseReceipt(readOwn(spec, ".progress.md") ?? "");
  const rows = [...selectRows(list, entries, receipt).values()];
  const commits = rows.flatMap(({ commit }) => commit ?? []);
  const plan = planTrace({
    list,
    requirements: asked.requirements,
    entries,
    receipt,
    // Git is started only if there is something to ask.
    history: rows.length > 0 ? readHistory(spec.project.root, commits) : NO_HISTORY,
    settings: spec.project.settings,
    paths: {
      spec: spec.basePath,
      requirements: `${spec.basePath}/${name}`,
      tasks: shownPath(spec.project, spec.tasks),
    },
  });
  const document = asked.exists ? `${spec.basePath}/${name}` : null;
  const names = { spec: spec.name, path: spec.basePath, document, skipped: null };
  return { ...names, ...plan, ...applyBaseline(spec, plan) };
}

/** One of several specs: if it has no tasks yet, there is nothing to trace. */
export const traceIfPlanned = (spec: Spec): SpecTrace =>
  isPlanned(spec) ? traceSpec(spec) : skip(spec);

export function isPlanned(spec: Spec): boolean {
  const tasks = readTasks(spec);
  return tasks.kind !== "absent" && (tasks.kind !== "ok" || tasks.list.tasks.length > 0);
}

const skip = (spec: Spec): SpecTrace => ({
  spec: spec.name,
  path: spec.basePath,
  document: null,
  skipped: "it has no tasks yet",
  requirements: [],
  tasks: [],
  problems: [],
  known: [],
  stale: [],
  unchecked: [],
});

function readOwn(spec: Spec, name: string): string | undefined {
  const file = readDocument(spec, name);
  if (file.kind === "unreadable") {
    throw new Refusal("broken", `${spec.basePath}/${name} cannot be read: ${file.why}`);
  }
  return file.kind === "ok" ? file.text : undefined;
}
