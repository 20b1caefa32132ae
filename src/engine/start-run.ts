import { EXECUTION } from "../layouts/layout.ts";
import { renderCoordinator } from "../prompts/render.ts";
import { askAbout } from "../run/agreement-lines.ts";
import {
  type Agreement,
  agreeToAll,
  agreeUnseen,
  listAmendments,
  newCommands,
} from "../run/agreement.ts";
import type { Amendment } from "../run/change/amend.ts";
import { findInterruption } from "../run/claim/task-history.ts";
import { shownCommand } from "../run/claim/verification.ts";
import type { Disk } from "../run/decision.ts";
import { readyKey } from "../run/hand-out.ts";
import type { EventName } from "../run/journal.ts";
import { sumBoxes } from "../run/loop.ts";
import { planRun } from "../run/plan-run.ts";
import { isRunner } from "../run/runner-session.ts";
import type { Raw } from "../run/state.ts";
import { hasOpen } from "../spec/checklists.ts";
import { applyWrite, readAllEntries } from "../store/spec-files.ts";
import type { Spec } from "../store/spec.ts";
import { readAgreement, writeAgreement } from "../store/vault.ts";
import type { TaskList } from "../tasks/model.ts";
import { locate } from "../tasks/position.ts";
import { writeAttempts, writeStanding } from "./attempts.ts";
import { bindRun } from "./bind-run.ts";
import { noteOpen, readGate } from "./checklists.ts";
import { tellDueHooks } from "./extension-hooks.ts";
import { beginNotes } from "./notes.ts";
import { outlookOf, requireProvable } from "./outlook.ts";
import type { Request } from "./request.ts";
import type { Step } from "./step.ts";
import { writeOutcome } from "./summary.ts";
import { refuseSkipped, tasksOf } from "./with-run.ts";

export interface StartOptions {
  readonly mayAmend?: boolean | undefined;
  /** The user has said to start, whatever checklists ask. */
  readonly despite?: boolean;
}

/** Starts or resumes a run: state merged, session bound, counts reset. `readyStep` completes the step. */
export function startRun(
  request: Request,
  spec: Spec,
  event: EventName,
  fields: Raw,
  { mayAmend, despite = false }: StartOptions = {},
): Step {
  // Refused under its own name: `implement` agrees to more than `resume` does.
  const command = event === "resume" ? "resume" : "implement";
  return bindRun(request, spec, command, { fields, mayAmend }, ({ disk, wish, now, record }) => {
    const list = tasksOf(spec, disk.tasks);
    refuseSkipped(spec, list);
    const { open, total } = locate(list);
    const entries = disk.last === undefined ? [] : readAllEntries(spec);
    const { loop, brief, raw, write } = planRun(disk, list, { ...wish, event }, now);
    // Boxes that somebody ticked while the run was on are checked first.
    const isOn = disk.last?.loop.open === true;
    const isClaimed = loop.boxes !== null && loop.boxes !== sumBoxes(list.tasks);
    // `implement` approves the list as it is.
    const isCut = isOn && event === "resume" && (disk.lost?.(list) ?? []).length > 0;
    // `run` checks the boxes of a list that has nothing open.
    if (open.length === 0 && !isClaimed && !isCut && !isRunner(wish.session ?? "")) {
      const ended = { event: "finished", loop: { ...loop, open: false }, state: "remove" } as const;
      const state = disk.state.kind === "ok" ? disk.state.state : {};
      // Its session may have been killed just before the end.
      const fault = isOn ? writeOutcome({ spec, list, state }) : undefined;
      if (disk.state.kind !== "absent") applyWrite(spec, disk.state, ended, now.at);
      return { kind: "nothing-to-do", spec, total, notes: fault === undefined ? [] : [fault] };
    }
    const old = readAgreement(spec);
    // A list that quick mode wrote, and that nobody has looked at since.
    const isUnseen = wasQuick(disk) && isRunner(wish.session ?? "");
    const agreed = planAgreement(list, old, { event, isOn, isUnseen });
    const isNew = event !== "resume" && open.length > 0;
    const outlook = isNew ? outlookOf(spec.project, list, agreed) : undefined;
    if (outlook !== undefined) requireProvable(request, spec, outlook);
    const isQuick = raw["quickMode"] === true;
    const isBegun = disk.state.kind === "ok" && disk.state.state.phase === EXECUTION;
    const lists = isBegun ? [] : readGate(spec);
    if (!isQuick && !despite && lists.some(hasOpen)) return { kind: "checklists", spec, lists };
    beginNotes(request, spec);
    noteOpen(spec, lists);
    // First: a run without them would ask the user about every one.
    writeAgreement(spec, agreed);
    const { added, amendments } = compareAgreements(spec, old, agreed, event, isOn);
    const hooked = { project: spec.project, spec, step: "implement" };
    const notes = [
      ...record(raw, write),
      ...added,
      ...(event === "resume" ? [] : tellDueHooks(hooked, "before")),
    ];
    for (const amendment of amendments) {
      const amended = {
        event: "amended",
        task: amendment.task,
        amendment,
        loop: write.loop,
      } as const;
      applyWrite(spec, { kind: "ok", raw, state: {} }, amended, now.at);
    }
    // What a killed session left undone has its checkpoint: another one would take half-done work for the user's.
    const begun = brief.current.filter(({ index }) =>
      findInterruption(entries, list, index, loop.run),
    );
    writeStanding(spec, list, brief);
    writeAttempts(spec, brief, readyKey({ ...brief, current: begun }));
    return {
      kind: "run",
      spec,
      prompt: renderCoordinator(spec.project.layout, brief, open.length),
      notes,
      ...(outlook === undefined ? {} : { outlook }),
      open: open.length,
      total,
      run: loop.run,
      session: wish.session,
      next: brief.current.map(({ id }) => id),
    };
  });
}

const wasQuick = ({ state }: Disk): boolean =>
  state.kind === "ok" && state.state.quickMode === true;

/** `implement` approves the commands in the list as it is now; `resume` adds none. */
function planAgreement(
  list: TaskList,
  old: Agreement | undefined,
  how: { readonly event: EventName; readonly isOn: boolean; readonly isUnseen: boolean },
): Agreement {
  const all = how.isUnseen ? agreeUnseen(list, old) : agreeToAll(list);
  // Boxes that were ticked during a run that is still on stay claims.
  const given = how.isOn && old?.given !== undefined ? old.given : (all.given ?? []);
  return { ...(how.event === "resume" && old !== undefined ? old : all), given };
}

/** What is new since the user last agreed. */
function compareAgreements(
  spec: Spec,
  old: Agreement | undefined,
  agreed: Agreement,
  event: EventName,
  isOn: boolean,
): { readonly added: string[]; readonly amendments: readonly Amendment[] } {
  if (event === "resume" || old === undefined) {
    const { pending = [] } = agreed;
    const waiting = pending.length === 0 ? [] : [`${askAbout(spec.project.layout, pending)}.`];
    return { added: waiting, amendments: [] };
  }
  const amendments = isOn ? listAmendments(old, agreed, "changed in tasks.md by the user") : [];
  const fresh = newCommands(agreed.commands, old).map(shownCommand);
  const added =
    fresh.length === 0
      ? []
      : [`Verify commands that are new since the user last agreed: ${fresh.join(", ")}.`];
  return { added, amendments };
}
