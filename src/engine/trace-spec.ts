import { readHistory } from "../git/history.ts";
import { parseReceipt } from "../run/claim/receipt-table.ts";
import { planTrace, selectRows, type Trace } from "../spec/trace.ts";
import { readDocument } from "../store/documents.ts";
import { readAllEntries, readTasks } from "../store/spec-files.ts";
import { shownPath, type Spec } from "../store/spec.ts";
import { Refusal } from "./refusal.ts";
import type { Request } from "./request.ts";
import { listAllSpecs } from "./resolve-spec.ts";
import { tasksOf } from "./with-run.ts";

/** A spec, and its trace as far as there is anything to follow. */
export interface SpecTrace extends Trace {
  readonly spec: string;
  readonly path: string;
  /** Where the requirements are; null if there is no such document. */
  readonly document: string | null;
  /** Why there is nothing to trace. */
  readonly skipped: string | null;
}

const NO_HISTORY = { kind: "none", commits: new Set<string>() } as const;

export function traceSpec(spec: Spec): SpecTrace {
  const { requirements: name } = spec.project.layout;
  const requirements = readOwn(spec, name);
  const list = tasksOf(spec, readTasks(spec));
  const entries = readAllEntries(spec);
  const receipt = parseReceipt(readOwn(spec, ".progress.md") ?? "");
  const rows = [...selectRows(list, entries, receipt).values()];
  const commits = rows.flatMap(({ commit }) => commit ?? []);
  const plan = planTrace({
    list,
    requirements,
    entries,
    receipt,
    // Git is started only if there is something to ask.
    history: rows.length > 0 ? readHistory(spec.project.root, commits) : NO_HISTORY,
    settings: spec.project.settings,
    paths: { requirements: `${spec.basePath}/${name}`, tasks: shownPath(spec.project, spec.tasks) },
  });
  const document = requirements === undefined ? null : `${spec.basePath}/${name}`;
  return { spec: spec.name, path: spec.basePath, document, skipped: null, ...plan };
}

/** Every spec of the project; one without tasks has nothing to trace. */
export function traceAllSpecs(request: Request): SpecTrace[] {
  const specs = listAllSpecs(request);
  if (specs.length === 0) throw new Refusal("missing", "there are no specs yet");
  return specs.map((spec) => {
    const tasks = readTasks(spec);
    const isPlanned =
      tasks.kind !== "absent" && (tasks.kind !== "ok" || tasks.list.tasks.length > 0);
    return isPlanned ? traceSpec(spec) : skip(spec);
  });
}

const skip = (spec: Spec): SpecTrace => ({
  spec: spec.name,
  path: spec.basePath,
  document: null,
  skipped: "it has no tasks yet",
  requirements: [],
  tasks: [],
  problems: [],
  unchecked: [],
});

function readOwn(spec: Spec, name: string): string | undefined {
  const file = readDocument(spec, name);
  if (file.kind === "unreadable") {
    throw new Refusal("broken", `${spec.basePath}/${name} cannot be read: ${file.why}`);
  }
  return file.kind === "ok" ? file.text : undefined;
}
