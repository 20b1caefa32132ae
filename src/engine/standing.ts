import { describeCounts } from "../facts/classify.ts";
import { type Edition, EXECUTION } from "../layouts/layout.ts";
import { commandAfter, inferPhase, phaseNamed, phasesOf } from "../layouts/phases.ts";
import type { Disk } from "../run/decision.ts";
import { type InboxEntry, pendingIn } from "../run/inbox.ts";
import type { Entry } from "../run/journal.ts";
import { runOf } from "../run/runner-session.ts";
import type { StateFile } from "../run/state.ts";
import { whoseRun } from "../run/trust.ts";
import { hasDocument, readPhases } from "../store/documents.ts";
import { fateOf } from "../store/lease.ts";
import { readDisk, readState, readTasks } from "../store/spec-files.ts";
import type { Spec } from "../store/spec.ts";
import { locate } from "../tasks/position.ts";
import { quoteForShell, quoteName } from "../text/quote.ts";
import { oneLine } from "../text/template.ts";
import { SHELL_PROGRAM } from "../text/wording.ts";
import { readSpecFacts } from "./read-facts.ts";

/** Where a spec is, in a few words. */
export function standingOf(spec: Spec): string {
  const file = readState(spec);
  const tasks = readTasks(spec);
  const all = tasks.kind === "ok" ? tasks.list.tasks : [];
  if (file.kind === "ok" && file.state.phase !== undefined && file.state.phase !== EXECUTION) {
    const waits = file.state.awaitingApproval === true ? ", waiting for approval" : "";
    return `phase ${oneLine(file.state.phase, 40)}${waits}`;
  }
  if (tasks.kind === "ok" && all.length > 0) {
    const isOver = all.every((task) => task.checked);
    const { counts } = readSpecFacts(spec, tasks.list);
    return `${isOver ? "finished" : executionOf(spec, file)}, ${describeCounts(counts)}`;
  }
  const phase = inferPhase(readPhases(spec, {}), (name) => hasDocument(spec, name));
  return typeof phase === "string" ? phase : `before ${phase.name}`;
}

function executionOf(spec: Spec, file: StateFile): string {
  if (file.kind === "absent") return "ready";
  if (file.kind === "ok" && file.state.paused === true) return "paused";
  if (file.kind === "ok" && file.state.awaitingApproval === true) return "waiting for approval";
  const { standing } = readStanding(readDisk(spec), true);
  return standing === "stopped" ? standing : "execution";
}

interface Standing {
  readonly standing: string;
  readonly why: string | null;
  readonly todo: string | null;
}

/**
 * What the loop is doing, and the command that changes it, which has to name a spec that is not the active one. `goOn`:
 * the command with which `run` continues.
 */
export function readStanding(
  disk: Disk,
  isActive: boolean,
  goOn = (): string => `${SHELL_PROGRAM} run ${quoteForShell(disk.spec.name)}`,
): Standing {
  const { layout, state: file, last } = disk;
  const name = quoteName(disk.spec.name);
  const command = (verb: string): string =>
    `${layout.voice.command(verb)}${isActive ? "" : ` ${name}`}`;
  const run = runOf(last?.loop.session);
  const fate = run === undefined ? undefined : fateOf(run);
  const resume =
    fate === undefined ? command("resume") : fate === "at-work" ? `${SHELL_PROGRAM} watch` : goOn();
  if (file.kind === "corrupt")
    return {
      standing: "corrupt",
      why: file.why,
      todo: `${command("implement")} rebuilds the state, ${command("cancel")} ends the run`,
    };
  if (file.kind === "absent") return idle(disk, command);
  if (whoseRun(disk, last?.loop.session ?? null) === "stranger") {
    return {
      standing: "from elsewhere",
      why: "this run was not started on this machine",
      todo: `${layout.voice.command("resume")} ${name} resumes it`,
    };
  }
  const { state } = file;
  if (state.paused === true) {
    const why = last?.event === "paused" ? (last.note ?? null) : null;
    return { standing: "paused", why, todo: `${resume} continues` };
  }
  const phases = phasesOf(layout, state);
  const phase = phaseNamed(phases, state.phase);
  if (state.awaitingApproval === true) {
    const next = phase === undefined ? "resume" : commandAfter(phases, phase);
    return {
      standing: "waiting for your approval",
      why: state.approvalReason ?? null,
      todo: `${command(next)} approves and continues`,
    };
  }
  const why = whyStopped(disk);
  if (why !== undefined) return { standing: "stopped", why, todo: `${resume} continues` };
  if (state.phase !== EXECUTION) {
    const todo = phase === undefined ? null : `${command("start")} continues`;
    return { standing: `in phase ${state.phase ?? "?"}`, why: null, todo };
  }
  if (last?.loop.session === null)
    return {
      standing: "waiting for a session",
      why: null,
      todo: `${resume}, typed in your client, continues`,
    };
  const waits = heldUpBy(disk);
  if (waits !== undefined)
    return {
      standing: "waiting for your answer",
      why: null,
      todo: `${answer(layout, waits)} answers`,
    };
  if (fate === "killed" || fate === "ended")
    return {
      standing: "stopped",
      why: fate === "killed" ? "its run was killed" : "its run has ended",
      todo: `${resume} continues`,
    };
  const todo =
    run === undefined
      ? `${command("pause")} pauses it; if its session is gone, ${resume} continues`
      : `${SHELL_PROGRAM} watch ${run} shows it, ${SHELL_PROGRAM} stop ${run} stops it`;
  return { standing: "running", why: null, todo };
}

const answer = ({ voice }: Edition, { id }: InboxEntry): string =>
  `${voice.command("answer")} ${id} <text>`;

/** The first thing that waits for the user, if nothing else can go on. */
function heldUpBy({ tasks, inbox }: Disk): InboxEntry | undefined {
  if (tasks.kind !== "ok" || inbox === undefined) return undefined;
  const { current, held } = locate(tasks.list);
  return current.length > 0 || held.length === 0 ? undefined : pendingIn(inbox, tasks.list)[0];
}

function idle({ layout, last, tasks, spec }: Disk, command: (verb: string) => string): Standing {
  const open = tasks.kind === "ok" && tasks.list.tasks.some((task) => !task.checked);
  if (last?.event === "finished" && !open) return { standing: "finished", why: null, todo: null };
  const begins = open
    ? command("implement")
    : `${layout.voice.command("start")} ${quoteName(spec.name)}`;
  if (last?.event === "cancelled")
    return { standing: "cancelled", why: null, todo: `${begins} starts again` };
  const todo = open || tasks.kind === "absent" ? `${begins} starts it` : null;
  return { standing: "not running", why: null, todo };
}

/** Undoing a task starts nothing: a run that had stopped is still stopped. */
function whyStopped({ last, past }: Disk): string | undefined {
  if (last === undefined) return undefined;
  if (isEnd(last)) return last.note ?? last.event;
  if (last.event !== "undone") return undefined;
  const before = past?.().findLast(({ event }) => event !== "undone");
  return before !== undefined && isEnd(before) ? `${last.task ?? "a task"} was undone` : undefined;
}

const isEnd = (entry: Entry): boolean =>
  entry.event === "service-error" ||
  entry.event === "session-ended" ||
  entry.loop.told === "stalled" ||
  entry.loop.told === "limit" ||
  entry.loop.told === "exhausted";
