import { EXECUTION } from "../layouts/layout.ts";
import { inferPhase } from "../layouts/phases.ts";
import { oneLine } from "../text/template.ts";
import { readState, readTasks } from "../store/spec-files.ts";
import { hasDocument } from "../store/documents.ts";
import type { Spec } from "../store/spec.ts";

/** Where a spec stands, in a few words. */
export function standingOf(spec: Spec): string {
  const { layout } = spec.project;
  const file = readState(spec);
  const tasks = readTasks(spec);
  const all = tasks.kind === "ok" ? tasks.list.tasks : [];
  const done = all.filter((task) => task.checked).length;
  if (file.kind === "ok" && file.state.phase !== undefined && file.state.phase !== EXECUTION) {
    const waits = file.state.awaitingApproval === true ? ", waits for approval" : "";
    return `phase ${oneLine(file.state.phase, 40)}${waits}`;
  }
  if (all.length > 0) {
    if (done === all.length) return `finished, ${all.length} tasks`;
    return `${file.kind === "absent" ? "ready" : "execution"}, ${done} of ${all.length} tasks`;
  }
  const phase = inferPhase(layout, (name) => hasDocument(spec, name));
  return typeof phase === "string" ? phase : `before ${phase.name}`;
}
