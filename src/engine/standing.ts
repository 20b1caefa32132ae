import { describeCounts } from "../facts/classify.ts";
import { EXECUTION } from "../layouts/layout.ts";
import { commandAfter, inferPhase, phaseNamed, phasesOf } from "../layouts/phases.ts";
import type { Disk } from "../run/decision.ts";
import type { Fate } from "../run/fate.ts";
import { type InboxEntry, pendingIn } from "../run/inbox.ts";
import type { Entry } from "../run/journal.ts";
import { runOf } from "../run/runner-session.ts";
import { whoseRun } from "../run/trust.ts";
import { hasDocument, readPhases } from "../store/documents.ts";
import { fateOf } from "../store/lease.ts";
import { readDisk } from "../store/spec-files.ts";
import type { Spec } from "../store/spec.ts";
import { locate } from "../tasks/position.ts";
import { quoteForShell, quoteName } from "../text/quote.ts";
import { oneLine } from "../text/template.ts";
import { SHELL_PROGRAM } from "../text/wording.ts";
import { tellDied } from "./local-time.ts";
import { readSpecFacts } from "./read-facts.ts";

/** Where a spec is, in a few words: those of its status, and the counts. */
export function standingOf(spec: Spec): string {
  const disk = readDisk(spec);
  const { standing } = readStanding(spec, disk);
  const { tasks, state: file } = disk;
  const phase = file.kind === "ok" ? (file.state.phase ?? EXECUTION) : EXECUTION;
  const isPlanned = phase === EXECUTION && tasks.kind === "ok" && tasks.list.tasks.length > 0;
  return [
    ...(phase === EXECUTION || standing.startsWith(IN_PHASE) ? [] : [inPhase(phase)]),
    standing,
    ...(isPlanned ? [describeCounts(readSpecFacts(spec, tasks.list).counts)] : []),
  ].join(", ");
}

const IN_PHASE = "in phase ";
const inPhase = (phase: string): string => `${IN_PHASE}${oneLine(phase, 40)}`;

/** Begun in a shell, where nobody works on it. */
export const UNMANNED = "waiting for a session";

interface Standing {
  readonly standing: string;
  readonly why: string | null;
  readonly todo: string | null;
  /** The command that approves, if that is what it waits for. */
  readonly approve?: string;
}

/** What became of the run whose work it is; undefined if a client does it. */
export function fateIn({ last }: Pick<Disk, "last">): Fate | undefined {
  const run = runOf(last?.loop.session);
  return run === undefined ? undefined : fateOf(run);
}

/**
 * What the loop is doing, and the command that changes it, which has to name a spec that is not the active one. `goOn`:
 * the command with which `run` continues.
 */
export function readStanding(
  spec: Spec,
  disk: Disk,
  isActive = true,
  goOn = (): string => `${SHELL_PROGRAM} run ${quoteForShell(disk.spec.name)}`,
): Standing {
  const { layout, state: file, last } = disk;
  const name = quoteName(disk.spec.name);
  const command = (verb: string): string =>
    `${layout.voice.command(verb)}${isActive ? "" : ` ${name}`}`;
  const run = runOf(last?.loop.session);
  const fate = fateIn(disk);
  const resume =
    fate === undefined
      ? command("resume")
      : fate.kind === "at-work"
        ? `${SHELL_PROGRAM} watch`
        : goOn();
  if (file.kind === "corrupt")
    return {
      standing: "corrupt",
      why: file.why,
      todo: `${command("implement")} rebuilds the state, ${command("cancel")} ends the run`,
    };
  if (file.kind === "absent") return idle(spec, disk, command, goOn);
  if (whoseRun(disk, last?.loop.session ?? null) === "stranger") {
    return {
      standing: "from elsewhere",
      why: "this run was not started on this machine",
      todo: `${layout.voice.command("resume")} ${name} resumes it`,
    };
  }
  const { state } = file;
  if (fate?.kind === "died")
    return { standing: "stopped", why: tellDied(fate.at), todo: `${resume} continues` };
  if (state.paused === true) {
    const why = last?.event === "paused" ? (last.note ?? null) : null;
    return { standing: "paused", why, todo: `${resume} continues` };
  }
  const phases = phasesOf(layout, state);
  const phase = phaseNamed(phases, state.phase);
  if (state.awaitingApproval === true) {
    // Nobody resumes a run that is at work.
    const alone = run === undefined ? "resume" : "approve";
    const approve = command(phase === undefined ? alone : commandAfter(phases, phase));
    return {
      standing: "waiting for your approval",
      why: state.approvalReason ?? null,
      todo: `${approve} approves and continues`,
      approve,
    };
  }
  const waits = state.phase === EXECUTION ? heldUpBy(disk) : undefined;
  const isOver = fate?.kind === "ended";
  // A run that waits for an answer is alive, whatever its last turn said; one that is over needs the answer first.
  const isStill = fate?.kind === "at-work" || (isOver && waits !== undefined);
  const why = isStill ? undefined : whyStopped(disk, isOver);
  if (why !== undefined) return { standing: "stopped", why, todo: `${resume} continues` };
  const follow = `${SHELL_PROGRAM} watch ${run} shows it, ${SHELL_PROGRAM} stop ${run} stops it`;
  if (state.phase !== EXECUTION) {
    if (fate?.kind === "at-work")
      return { standing: "running", why: inPhase(state.phase ?? "?"), todo: follow };
    const inClient = command("start");
    const begins = (last?.loop.session ?? null) === null ? either(goOn(), inClient) : inClient;
    const todo = phase === undefined ? null : `${begins} continues`;
    return { standing: inPhase(state.phase ?? "?"), why: null, todo };
  }
  if (last?.loop.session === null)
    return {
      standing: UNMANNED,
      why: null,
      todo: `${either(goOn(), resume)} continues`,
    };
  const then = isOver ? `, then ${resume} continues` : "";
  if (waits?.kind === "skip")
    return {
      standing: "waiting for you",
      why: `${waits.task} is skipped`,
      todo: `${layout.voice.command("unskip")} ${quoteName(waits.task)} unskips it${then}`,
    };
  if (waits !== undefined)
    return {
      standing: "waiting for your answer",
      why: null,
      todo: `${layout.voice.command("answer")} ${waits.id} <text> answers${then}`,
    };
  const todo =
    run === undefined
      ? `${command("pause")} pauses it; if its session is gone, ${resume} continues`
      : follow;
  return { standing: "running", why: null, todo };
}

/** What waits for the user, the first question or else the first skip, if nothing else can go on. */
function heldUpBy({ tasks, inbox }: Disk): InboxEntry | undefined {
  if (tasks.kind !== "ok" || inbox === undefined) return undefined;
  const { current, held } = locate(tasks.list);
  if (current.length > 0 || held.length === 0) return undefined;
  const pending = pendingIn(inbox, tasks.list);
  return pending.find(({ kind }) => kind === "question") ?? pending[0];
}

const either = (inShell: string, inClient: string): string =>
  `${inShell}, or ${inClient} in your client,`;

function idle(
  spec: Spec,
  { layout, last, tasks }: Disk,
  command: (verb: string) => string,
  goOn: () => string,
): Standing {
  const all = tasks.kind === "ok" ? tasks.list.tasks : [];
  const open = all.some((task) => !task.checked);
  const inClient = open
    ? command("implement")
    : `${layout.voice.command("start")} ${quoteName(spec.name)}`;
  const begins = either(goOn(), inClient);
  if (last?.event === "cancelled")
    return { standing: "cancelled", why: null, todo: `${begins} starts again` };
  if (all.length > 0 && !open) return { standing: "finished", why: null, todo: null };
  const phase = inferPhase(readPhases(spec, {}), (name) => hasDocument(spec, name));
  const todo = open || tasks.kind === "absent" ? `${begins} starts it` : null;
  const isReady = open || typeof phase === "string";
  return { standing: isReady ? "ready" : `before ${phase.name}`, why: null, todo };
}

/** Undoing a task starts nothing: a run that had stopped is still stopped. */
function whyStopped({ last, past, tasks, inbox }: Disk, isOver: boolean): string | undefined {
  const byDefault = isOver ? "its run has ended" : undefined;
  if (last === undefined) return byDefault;
  if ((last.event === "answered" || last.event === "asked") && (isOver || isEnd(last))) {
    const open = tasks.kind === "ok" && inbox !== undefined ? pendingIn(inbox, tasks.list) : [];
    return open.length === 0 ? "all questions are answered" : "questions are open";
  }
  if (isEnd(last)) return last.note ?? last.event;
  if (last.event !== "undone") return byDefault;
  const before = past?.().findLast(({ event }) => event !== "undone");
  return before !== undefined && isEnd(before) ? `${last.task ?? "a task"} was undone` : byDefault;
}

const isEnd = (entry: Entry): boolean =>
  entry.event === "service-error" ||
  entry.event === "session-ended" ||
  entry.loop.told === "stalled" ||
  entry.loop.told === "limit" ||
  entry.loop.told === "exhausted";
