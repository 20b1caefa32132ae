import { withAgreement } from "../../run/agreement-lines.ts";
import { decide, passBy } from "../../run/decide.ts";
import type { Disk, Prompt, StopEvent } from "../../run/decision.ts";
import type { Layout } from "../../layouts/layout.ts";
import { trustedPart } from "../../run/trust.ts";
import type { Environment, Host, HostStop } from "../../hosts/host.ts";
import { renderPrompt } from "../../prompts/render.ts";
import { oneLine } from "../../text/template.ts";
import { applyWrite, isFinished, readDisk } from "../../store/spec-files.ts";
import { keepOutOfGit } from "../../git/exclude.ts";
import { withLock } from "../../store/lock.ts";
import type { Spec } from "../../store/spec.ts";
import { isAloneOn, readAgreement, readRecord } from "../../store/vault.ts";
import { readLastMessage } from "../../hosts/claude/transcript.ts";
import type { Adoption } from "../../engine/adopt-run.ts";
import { activeSpec, log, MAX_LINE } from "./event.ts";
import { lazy } from "./lazy.ts";
import { readNow } from "../../engine/now.ts";
import { leaveReceipt } from "../../engine/receipt.ts";
import { isEnded, missRun, tellStranger, weigh } from "../../engine/whose-run.ts";

/** Takes an event from the client and gives back what goes to its standard output. */
export type Handler = (layout: Layout, host: Host, input: unknown, env: Environment) => string;

/** The end of a turn: what the hook is for, and all that its own bundle holds. */
export function stop(layout: Layout, host: Host, input: unknown, env: Environment): string {
  const stopped = host.parseStop(input, env);
  if (stopped === undefined) return "";
  const spec = activeSpec(layout, stopped);
  const now = readNow();
  if (spec === undefined) return tell(layout, host, missRun(layout, stopped, now.at));

  const early = readDisk(spec);
  const whose = weigh(early, stopped.sessionId);
  const how = whose === "stranger" ? lazy.loadQuick().planAdoption(spec, stopped, env) : "whole";
  if (whose === "stranger") {
    const missed = missRun(layout, stopped, now.at);
    if (missed !== undefined) return tell(layout, host, missed);
    // A run that ended is told once more, if the process was killed before it took the state away.
    if (isEnded(early) ? !isFinished(spec) : how === "not")
      return tell(layout, host, tellStranger(spec, stopped.sessionId));
  }
  const passed =
    whose === "elsewhere" ? "other-session" : passBy(eventOf(stopped, early), early, now)?.outcome;
  if (passed === "other-session")
    return isAloneOn(spec) ? "" : tell(layout, host, missRun(layout, stopped, now.at));
  if (passed !== undefined) return "";
  return withLock(spec.lock, () => {
    const read = readDisk(spec, () => lazy.loadQuick().findings(spec, phaseOf(disk)));
    const disk = how === "modestly" ? trustedPart(read, stopped.sessionId) : read;
    const { outcome, prompt: due, say: line, write } = decide(eventOf(stopped, disk), disk, now);
    // Before the state goes: without it no other stop would come to leave one.
    const proof = outcome === "finished" ? tellProof(spec, disk) : "";
    // A run of an older version: nobody has kept its files out of git yet.
    if (write !== undefined && disk.last === undefined) keepOutOfGit(spec);
    if (write !== undefined && whose === "stranger" && !isEnded(disk)) adopt(spec, how);
    if (write !== undefined) applyWrite(spec, disk.state, write, now.at);
    const reason = due === undefined ? undefined : promptOf(spec, disk, due);
    const agreed =
      outcome === "awaiting" || due?.kind === "execute" ? readAgreement(spec) : undefined;
    const told =
      line === undefined ? undefined : withAgreement(layout, line, outcome, agreed) + proof;
    if (due === undefined && told !== undefined) log(layout, told);
    return host.formatAnswer({
      outcome,
      ...(reason === undefined ? {} : { reason }),
      ...(told === undefined ? {} : { say: oneLine(told, MAX_LINE) }),
    });
  });
}

/** The other bundle has a memory of its own: what it has written must be read here. */
function adopt(spec: Spec, how: Adoption): void {
  lazy.loadQuick().adoptRun(spec, how);
  readRecord(spec);
}

/** A line for the user; the agent may stop. */
function tell(layout: Layout, host: Host, line: string | undefined): string {
  if (line === undefined) return "";
  log(layout, line);
  return host.formatAnswer({ outcome: "idle", say: oneLine(line, MAX_LINE) });
}

function promptOf(spec: Spec, disk: Disk, due: Prompt): string {
  switch (due.kind) {
    case "phase":
    case "phase-back":
    case "execute":
      return lazy.loadQuick().answer(spec, disk, due);
    default:
      return renderPrompt(disk.layout, due);
  }
}

const phaseOf = ({ state }: Disk): string | undefined =>
  state.kind === "ok" ? state.state.phase : undefined;

/** A spec that is finished says what proves it, also where boxes were ticked by hand. */
function tellProof(spec: Spec, { tasks }: Disk): string {
  if (tasks.kind !== "ok") return "";
  const { receipt, fault } = leaveReceipt(spec, tasks.list);
  const proven = receipt.filter(({ evidence }) => evidence.length > 0).length;
  return `; ${proven} proven by their Verify, ${fault ?? "the receipt is in .progress.md"}`;
}

/** The transcript is opened only if the decision gets as far as to ask for the message. */
function eventOf(stopped: HostStop, disk: Disk): StopEvent {
  return {
    sessionId: stopped.sessionId,
    continuing: stopped.continuing,
    agentsRunning: stopped.agentsRunning,
    get message() {
      if (stopped.message !== undefined) return stopped.message;
      return stopped.transcript === undefined
        ? null
        : readLastMessage(
            stopped.transcript,
            disk.last?.loop.open === true ? disk.last.loop.began : undefined,
          );
    },
  };
}
