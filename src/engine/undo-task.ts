import {
  listCheckpoints,
  removeCheckpoints,
  undoneRef,
  writeRef,
  writeWorkTree,
} from "../git/checkpoint.ts";
import { keepOwnFiles, runReset } from "../git/reset-to-checkpoint.ts";
import { cacheOf } from "../run/decide.ts";
import { planHandOut } from "../run/hand-out.ts";
import { startLoop, currentLoop } from "../run/loop.ts";
import { clearBoxes, undoneLoop } from "../run/undo.ts";
import { withLock } from "../store/lock.ts";
import { applyWrite, readDisk, readTasks, writeState, writeTasks } from "../store/spec-files.ts";
import type { Spec } from "../store/spec.ts";
import { parseTasks } from "../tasks/parse.ts";
import { oneLine } from "../text/template.ts";
import { writeStanding } from "./attempts.ts";
import { findNeighbour } from "./neighbours.ts";
import { readUndo, type Undo } from "./read-undo.ts";
import { Refusal } from "./refusal.ts";
import type { Request } from "./request.ts";
import { refuseFolder, requireTask, tasksOf } from "./with-run.ts";

export interface UndoneTask {
  readonly task: string;
  readonly undo: Undo;
  /** Set once done: where the previous state is kept, and the tasks that come next. */
  readonly done?: { readonly saved: string; readonly next: readonly string[] };
}

/** Takes the project back to where it was when a task was first handed out; unless confirmed, only says so. */
export const undoTask = (
  request: Request,
  spec: Spec,
  id: string,
  { confirmed, discards }: { readonly confirmed: boolean; readonly discards: boolean },
): UndoneTask =>
  withLock(spec.lock, () => {
    const tasks = tasksOf(spec, readTasks(spec));
    const task = requireTask(tasks, id).id;
    const undo = readUndo(request, spec, tasks, task, discards);
    if (!confirmed) return { task, undo };
    refuseNeighbour(spec);
    const saved = save(undo, request.now().at);
    return { task, undo, done: { saved, next: carryOut(request, spec, undo, saved) } };
  });

/** Both commit to the same branch: going back would take the other's work along. */
function refuseNeighbour(spec: Spec): void {
  const other = findNeighbour(spec);
  if (other === undefined) return;
  const { unit, voice } = spec.project.layout;
  throw new Refusal(
    "refused",
    `${unit} "${oneLine(other.name, 100)}" is being worked on in the same work tree, and its commits would go too`,
    `pause it first (${voice.command("pause")} in its session)`,
  );
}

/** Before anything changes: whatever goes wrong after this, nothing tracked is lost. */
function save({ repository: { git }, tree }: Undo, at: string): string {
  const commit =
    tree.dirty.length === 0 ? tree.head : writeWorkTree(git, tree.head, { timeoutMs: 600_000 });
  const ref = undoneRef(at);
  if (commit !== undefined && writeRef(git.top, ref, commit)) return ref;
  throw new Refusal(
    "broken",
    "git cannot save the current state, so nothing is undone",
    "commit or stash your changes and try again",
  );
}

/** Boxes first: a crash in between may run a task twice, but must not leave one ticked whose work is gone. */
function carryOut(request: Request, spec: Spec, undoing: Undo, saved: string): string[] {
  const { repository, checkpoint, cleared, list: before } = undoing;
  refuseFolder(spec);
  const disk = readDisk(spec);
  const text = clearBoxes(before, cleared);
  if (cleared.length > 0) writeTasks(spec, text);
  const putBack = keepOwnFiles(repository, spec, checkpoint);
  const why = runReset(repository, checkpoint);
  putBack();
  if (why !== undefined) {
    writeTasks(spec, before.lines.join(""));
    const fix = `fix that and try again; the previous state is at ${saved}`;
    throw new Refusal("broken", `git could not go back: ${oneLine(why, 300)}`, fix);
  }

  const now = request.now();
  const state = disk.state.kind === "ok" ? disk.state.state : {};
  const run =
    disk.state.kind === "ok"
      ? currentLoop(state, disk.last, now)
      : (disk.last?.loop ?? { ...startLoop(null, {}, undefined, now), open: false });
  // An agent that undoes its own work has still spent its attempts.
  const isAgent = request.caller.authority === "agent";
  const counted = isAgent ? run : { ...run, attempts: {} };
  const list = parseTasks(text);
  const brief = planHandOut(spec, list, { ...state, taskIteration: 1 }, counted);
  const undone = undoneLoop(counted, brief, disk.head);
  const { stalled, mark, told, attempts } = run;
  const loop = isAgent ? { ...undone, stalled, mark, told, attempts } : undone;
  const note = `back to ${checkpoint.base.slice(0, 9)}; the previous state is at ${saved}`;
  // One entry per task: its earlier reports no longer hold.
  for (const task of new Set([checkpoint.task, ...cleared.map(({ id }) => id)])) {
    applyWrite(spec, disk.state, { event: "undone", task, note, loop }, now.at);
  }
  // Without a run there is no state to update.
  if (disk.state.kind === "ok")
    writeState(spec, { ...disk.state.raw, ...cacheOf(brief) }, disk.record);
  writeStanding(spec, list, brief);
  removeCheckpoints(
    spec,
    listCheckpoints(spec).filter((one) => one.at > checkpoint.at),
  );
  return brief.current.map(({ id }) => id);
}
