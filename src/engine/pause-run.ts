import { commandAfter, phaseNamed, phasesOf } from "../layouts/phases.ts";
import { MAX_SHOWN } from "../run/agreement-lines.ts";
import { agreeToPending, listAmendments, type Question } from "../run/agreement.ts";
import type { Entry } from "../run/journal.ts";
import type { Raw } from "../run/state.ts";
import { readAllEntries } from "../store/spec-files.ts";
import type { Spec } from "../store/spec.ts";
import { readAgreement, writeAgreement } from "../store/vault.ts";
import { refuseDriven, requireUser, requireUserFor, whence } from "./authority.ts";
import { isPausedByEsc } from "./interruption.ts";
import { Refusal } from "./refusal.ts";
import type { Request } from "./request.ts";
import { type Run, withRun } from "./with-run.ts";

/** Lets the agent stop at the end of its turn. Returns whether anything changed. */
export function pauseRun(request: Request, spec: Spec): boolean {
  refuseDriven(request, "pause");
  return withRun(
    request,
    spec,
    (run) => {
      if (setFlags(run, "paused", { paused: true })) return true;
      // That one ends when the user types; this one does not.
      const isOther = isPausedByEsc(spec);
      if (isOther) run.apply({ event: "paused", loop: run.loop, state: { paused: true } });
      return isOther;
    },
    { anySession: true },
  );
}

/** Ends a pause of a run that somebody still drives: unlike `resume`, which takes the run over. */
export function unpauseRun(request: Request, spec: Spec): boolean {
  requireUserFor(request, spec.project.layout, "resume");
  const note = "the pause is over";
  return withRun(request, spec, (run) => setFlags(run, "approved", { paused: false }, { note }), {
    anySession: true,
  });
}

/** The user has to decide something: the loop waits. */
export function awaitApproval(request: Request, spec: Spec, reason: string | undefined): boolean {
  refuseDriven(request, "await-approval");
  return withRun(request, spec, (run) =>
    setFlags(run, "awaiting", {
      awaitingApproval: true,
      ...(reason === undefined ? {} : { approvalReason: reason }),
    }),
  );
}

export interface Approval {
  readonly changed: boolean;
  /** What the user was asked about Verify commands, and now agrees to. */
  readonly agreed: readonly Question[];
}

/** Approves what the loop waits for. Only the user can. */
export function approve(request: Request, spec: Spec): Approval {
  requireUser(request, spec, "approve");
  return withRun(request, spec, (run) => {
    refuseDocument(run);
    const agreed = agreeToShown(run);
    const flags = { awaitingApproval: false, approvalReason: undefined };
    return { agreed, changed: setFlags(run, "approved", flags, whence(request, spec)) };
  });
}

/** Approves what the user was shown, not what has replaced it since. */
function agreeToShown(run: Run): readonly Question[] {
  const { spec } = run;
  const agreed = readAgreement(spec);
  const pending = agreed?.pending ?? [];
  if (agreed === undefined || pending.length === 0) return [];
  const long = pending.find(({ commands }) => commands.some((one) => one.length > MAX_SHOWN));
  if (long !== undefined) {
    const implement = spec.project.layout.voice.command("implement");
    throw new Refusal(
      "refused",
      `the Verify of ${long.task} is too long to show on one line`,
      `read it in ${spec.basePath}/tasks.md, then ${implement} approves the list as it is`,
    );
  }
  const now = agreeToPending(agreed);
  writeAgreement(spec, now);
  const known = readAllEntries(spec).flatMap(({ amendment }) => amendment ?? []);
  for (const amendment of listAmendments(agreed, now, "changed in tasks.md, approved by the user"))
    // One that the coordinator asked for has its own reason.
    if (!known.some((one) => one.task === amendment.task && one.new === amendment.new))
      run.apply({ event: "amended", task: amendment.task, amendment, loop: run.loop });
  return pending;
}

/** A document is approved by the command of the next phase, which only the user types. */
function refuseDocument({ spec, state }: Run): void {
  const { layout } = spec.project;
  const phases = phasesOf(layout, state);
  const phase = phaseNamed(phases, state.phase);
  if (phase === undefined) return;
  const next = layout.voice.command(commandAfter(phases, phase));
  throw new Refusal(
    "refused",
    `${phase.document} is not approved this way`,
    `the user approves it with ${next}; end your turn`,
  );
}

/** Sets flags of the state once: a second call finds them set and writes nothing. */
function setFlags(
  run: Run,
  event: "paused" | "awaiting" | "approved",
  flags: Raw,
  said: Pick<Entry, "from" | "note"> = {},
): boolean {
  const known = run.state as Raw;
  const changed = Object.entries(flags).some(
    ([name, value]) => (known[name] ?? false) !== (value ?? false),
  );
  const note = typeof flags["approvalReason"] === "string" ? { note: flags["approvalReason"] } : {};
  if (changed) run.apply({ event, ...note, ...said, loop: run.loop, state: flags });
  return changed;
}
