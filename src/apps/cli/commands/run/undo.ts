import { planBrief } from "../../../../run/hand-out.ts";
import { cacheOf } from "../../../../run/decide.ts";
import { slash } from "../../../../layouts/layout.ts";
import { beginLoop, currentLoop } from "../../../../run/loop.ts";
import { clearBoxes, undoneLoop } from "../../../../run/undo.ts";
import { clean, oneLine } from "../../../../text/template.ts";
import {
  listCheckpoints,
  removeCheckpoints,
  undoneRef,
  writeRef,
  writeWorkTree,
} from "../../../../git/checkpoint.ts";
import { applyWrite, readDisk, writeState, writeTasks } from "../../../../store/spec-files.ts";
import { withLock } from "../../../../store/lock.ts";
import { keepOwn, runReset } from "../../../../git/reset-to-checkpoint.ts";
import type { Spec } from "../../../../store/spec.ts";
import { parseTasks } from "../../../../tasks/parse.ts";
import {
  CliError,
  type Command,
  type Context,
  EXIT,
  type Input,
  type Result,
} from "../../command.ts";
import { isInClient, openSpec } from "../../../../engine/resolve-spec.ts";
import { refuseFolder, tasksOf } from "../../../../engine/run.ts";
import { jsonOf, readUndo, renderUndo, type Undo } from "../../../../engine/undo.ts";
import { requireTask } from "../agent/done.ts";

export const undo: Command = {
  name: "undo",
  summary: "take the project back to where it was when a task was first handed out",
  args: ["[task]"],
  group: "run",
  options: {
    yes: { type: "boolean", summary: "really do it; without, it only says what it would do" },
    "discard-changes": {
      type: "boolean",
      summary: "go ahead although tracked files have uncommitted changes",
    },
    list: { type: "boolean", summary: "show the checkpoints there are" },
  },
  details: `Resets the branch to the checkpoint that was made then, and clears the boxes of the task and of every task done since,
so that they run again. To run again from task 1.4: undo 1.4 --yes, then resume. The state before, uncommitted changes
in tracked files included, is saved at refs/smart-ralph/undone/<time>. The spec's own folder is kept, with only the
boxes cleared; files that git ignores or does not track are neither changed nor saved.`,
  run(context, input) {
    const spec = openSpec(context, input);
    if (input.options["list"] === true) return list(spec);
    if (input.args.length === 0) {
      const fix = `${context.program} undo --list shows the tasks that have a checkpoint`;
      throw new CliError(EXIT.usage, "undo needs <task>", fix);
    }
    return withLock(spec.lock, () => undoTask(context, input, spec));
  },
};

function list(spec: Spec): Result {
  const checkpoints = listCheckpoints(spec);
  const rows = checkpoints.map(({ task, attempt, at, base, commit }) => {
    const more = commit === base ? "" : ", with uncommitted changes";
    return `${task}  attempt ${attempt}  ${at}  ${base.slice(0, 9)}${more}`;
  });
  return {
    text: clean(rows.join("\n")) || `"${spec.name}" has no checkpoints.`,
    json: { ok: true, spec: spec.name, checkpoints },
  };
}

function undoTask(context: Context, input: Input, spec: Spec): Result {
  const tasks = tasksOf(context, spec, readDisk(spec));
  const task = requireTask(tasks, input);
  const discards = input.options["discard-changes"] === true;
  const undoing = readUndo(context, spec, tasks, task.id, discards);
  if (input.options["yes"] !== true) {
    const what = renderUndo(undoing, spec, "refs/smart-ralph/undone/<time>");
    return {
      code: EXIT.refused,
      text: `This would take the project ${what}\nNothing is done yet; add --yes to do it.`,
      json: { ok: false, ...jsonOf(undoing, spec), saved: null },
    };
  }
  const { at } = context.now();
  const saved = save(undoing, at);
  const next = carryOut(context, spec, undoing, saved);
  const { layout } = spec.project;
  const resume = isInClient(context) ? slash(layout, "resume") : `${context.program} resume`;
  const back =
    undoing.tree.dirty.length === 0
      ? `git reset --hard ${saved}`
      : `git reset --hard ${saved}^ && git stash apply --index ${saved}`;
  return {
    text: `Took the project ${renderUndo(undoing, spec, saved)}\nTo go on from ${next[0] ?? task.id}: ${resume}. To take this back: ${back}`,
    json: { ok: true, ...jsonOf(undoing, spec), saved, next },
  };
}

/** Before anything changes: whatever goes wrong after this, nothing tracked is lost. */
function save({ repository: { git }, tree }: Undo, at: string): string {
  const commit =
    tree.dirty.length === 0 ? tree.head : writeWorkTree(git, tree.head, { timeoutMs: 600_000 });
  const ref = undoneRef(at);
  if (commit !== undefined && writeRef(git.top, ref, commit)) return ref;
  throw new CliError(
    EXIT.broken,
    "git cannot save the present state, so nothing is undone",
    "commit or stash your changes and try again",
  );
}

/** Boxes first: a crash in between may have a task run twice, but must not leave one ticked whose work is gone. */
function carryOut(context: Context, spec: Spec, undoing: Undo, saved: string): string[] {
  const { repository, checkpoint, cleared, list: before } = undoing;
  refuseFolder(spec);
  const disk = readDisk(spec);
  const text = clearBoxes(before, cleared);
  if (cleared.length > 0) writeTasks(spec, text);
  const putBack = keepOwn(repository, spec, checkpoint);
  const why = runReset(repository, checkpoint);
  putBack();
  if (why !== undefined) {
    writeTasks(spec, before.lines.join(""));
    const fix = `mend that and try again; the state before is at ${saved}`;
    throw new CliError(EXIT.broken, `git could not go back, ${oneLine(why, 300)}`, fix);
  }

  const now = context.now();
  const state = disk.state.kind === "ok" ? disk.state.state : {};
  const run =
    disk.state.kind === "ok"
      ? currentLoop(state, disk.last, now)
      : (disk.last?.loop ?? { ...beginLoop(null, {}, undefined, now), open: false });
  // An agent that undoes its own work has spent its attempts all the same.
  const counted = context.caller.authority === "agent" ? run : { ...run, attempts: {} };
  const brief = planBrief(spec, parseTasks(text), { ...state, taskIteration: 1 }, counted);
  const loop = undoneLoop(counted, brief, disk.head);
  const note = `back to ${checkpoint.base.slice(0, 9)}; the state before is at ${saved}`;
  // One entry a task: what was reported of each no longer holds.
  for (const task of new Set([checkpoint.task, ...cleared.map(({ id }) => id)])) {
    applyWrite(spec, disk.state, { event: "undone", task, note, loop }, now.at);
  }
  // Without a run there is no state to keep in step.
  if (disk.state.kind === "ok")
    writeState(spec, { ...disk.state.raw, ...cacheOf(brief) }, disk.record);
  removeCheckpoints(
    spec,
    listCheckpoints(spec).filter((one) => one.at > checkpoint.at),
  );
  return brief.current.map(({ id }) => id);
}
