import { localTime } from "../../../../engine/local-time.ts";
import { describeUndo, jsonOf } from "../../../../engine/read-undo.ts";
import { commandFor } from "../../../../engine/request.ts";
import { undoTask } from "../../../../engine/undo-task.ts";
import { listCheckpoints } from "../../../../git/checkpoint.ts";
import type { Spec } from "../../../../store/spec.ts";
import { clean } from "../../../../text/template.ts";
import type { Command, Context, Input, Result } from "../../command.ts";
import { specOf } from "../../named-spec.ts";

export const undo: Command = {
  summary: "take the project back to where it was when a task was first handed out",
  args: ["[task]"],
  options: {
    yes: { summary: "really do it; without, it only says what it would do" },
    "discard-changes": { summary: "go ahead although tracked files have uncommitted changes" },
    list: { summary: "list the checkpoints, as without a task" },
  },
  details: `Resets the branch to the checkpoint that was made then, and clears the boxes of the task and of every task done since,
so that they run again. To run again from task 1.4: undo 1.4 --yes, then resume. The previous state, uncommitted changes
in tracked files included, is saved at refs/smart-ralph/undone/<time>. The spec's own folder is kept, with only the
boxes cleared; files that git ignores or does not track are neither changed nor saved.`,
  run(context, input) {
    const spec = specOf(context, input);
    return input.options["list"] === true || input.args.length === 0
      ? list(spec)
      : run(context, input, spec);
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
    json: { spec: spec.name, checkpoints },
  };
}

function run(context: Context, input: Input, spec: Spec): Result {
  const confirmed = input.options["yes"] === true;
  const discards = input.options["discard-changes"] === true;
  const [id = ""] = input.args;
  const { task, undo: plan, done } = undoTask(context, spec, id, { confirmed, discards });
  const when = localTime(plan.checkpoint.at, context.now().at);
  if (done === undefined) {
    const what = describeUndo(plan, spec, "refs/smart-ralph/undone/<time>", when);
    return {
      ok: false,
      text: `This would take the project ${what}\nNothing is done yet; add --yes to do it.`,
      json: { ...jsonOf(plan, spec), saved: null },
    };
  }
  const { saved, next } = done;
  const resume = commandFor(context, spec.project.layout, "resume");
  const back =
    plan.tree.dirty.length === 0
      ? `git reset --hard ${saved}`
      : `git reset --hard ${saved}^ && git stash apply --index ${saved}`;
  return {
    // It ends with commands to copy.
    verbatim: true,
    text: `Took the project ${describeUndo(plan, spec, saved, when)}\nTo continue from ${next[0] ?? task}: ${resume}. To take this back: ${back}`,
    json: { ...jsonOf(plan, spec), saved, next },
  };
}
