import { planBegin } from "../run/plan-run.ts";
import type { Brief } from "../run/hand-out.ts";
import type { EventName } from "../run/journal.ts";
import { locate } from "../tasks/position.ts";
import type { Raw } from "../run/state.ts";
import { agreeToAll, newCommands } from "../run/agreement.ts";
import { shownCommand } from "../run/claim/verification.ts";
import { renderCoordinator } from "../prompts/render.ts";
import { applyWrite } from "../store/spec-files.ts";
import type { Spec } from "../store/spec.ts";
import { readAgreement, writeAgreement } from "../store/vault.ts";
import type { TaskList } from "../tasks/model.ts";
import { markAttempts } from "./attempts.ts";
import type { Context, Input, Result } from "../apps/cli/command.ts";
import { tasksOf } from "./run.ts";
import { takeUp } from "./bind-run.ts";

/** Starts a run, or takes one up again: state merged, session bound, counts from the start, and the prompt printed. */
export function begin(
  context: Context,
  input: Input,
  spec: Spec,
  event: EventName,
  wishes: Raw,
): Result {
  // By its own name, where it is refused: `implement` agrees to more than `resume` does.
  const step = event === "resume" ? "resume" : "implement";
  return takeUp(context, input, spec, step, wishes, ({ disk, wish, now, record }) => {
    const { layout } = spec.project;
    const list = tasksOf(context, spec, disk);
    const { open, total } = locate(list);
    const { loop, brief, raw, write } = planBegin(disk, list, { ...wish, event }, now);
    if (open.length === 0)
      return nothingToDo(spec, disk.state.kind !== "absent", total, () =>
        applyWrite(
          spec,
          disk.state,
          { event: "finished", loop: { ...loop, open: false }, state: "remove" },
          now.at,
        ),
      );

    // First: a run that is on without them would ask the user about every one.
    const added = agreeTo(spec, list, event);
    const notes = [...record(raw, write), ...added];
    markAttempts(spec, brief);
    const prompt = renderCoordinator(layout, brief, open.length);
    return {
      text: [...notes, prompt].join("\n\n"),
      json: {
        ok: true,
        spec: spec.name,
        path: spec.basePath,
        open: open.length,
        total,
        run: loop.run,
        session: wish.session,
        next: idsOf(brief),
        notes,
      },
    };
  });
}

/** `implement` is the user's word for the commands in the list as it is now; `resume` adds none. */
function agreeTo(spec: Spec, list: TaskList, event: EventName): string[] {
  const old = readAgreement(spec);
  if (event === "resume" && old !== undefined) return [];
  const agreed = agreeToAll(list);
  writeAgreement(spec, agreed);
  const added = old === undefined ? [] : newCommands(agreed.commands, old);
  return added.length === 0
    ? []
    : [
        `Verify commands that are new since the user last agreed: ${added.map(shownCommand).join(", ")}.`,
      ];
}

export const idsOf = (brief: Brief): string[] => brief.current.map((task) => task.id);

function nothingToDo(spec: Spec, stateLeft: boolean, total: number, finish: () => void): Result {
  if (stateLeft) finish();
  return {
    text: `Nothing to do: all ${total} tasks in ${spec.basePath}/tasks.md are ticked.`,
    json: { ok: true, spec: spec.name, path: spec.basePath, open: 0, total, next: [] },
  };
}
