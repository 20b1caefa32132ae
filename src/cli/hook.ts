import { existsSync, readSync } from "node:fs";
import type { Disk, StopEvent } from "../core/decision.ts";
import { decide, passBy } from "../core/decide.ts";
import { planBrief } from "../core/brief.ts";
import { type Layout, layouts, slash } from "../core/layout.ts";
import { currentLoop, type Now } from "../core/loop.ts";
import * as say from "../core/say.ts";
import { claude } from "../hosts/claude.ts";
import type { Environment, Host, HostStop } from "../hosts/host.ts";
import { renderInterjection, renderPrompt } from "../prompts/render.ts";
import { applyWrite, readDisk } from "../store/disk.ts";
import { withLock } from "../store/lock.ts";
import { findProject } from "../store/project.ts";
import { codeOf } from "../store/read.ts";
import { sleep } from "../store/sleep.ts";
import { findActiveSpec, type Spec } from "../store/spec.ts";
import { readLastMessage } from "../store/transcript.ts";
import { readNow } from "./now.ts";
import { print } from "./print.ts";

const MAX_INPUT_BYTES = 32 << 20;

type Handler = (layout: Layout, host: Host, input: unknown, env: Environment) => string;

const handlers: Readonly<Record<string, Handler>> = { stop, "stop-failure": stopFailure, prompt };

/** `hook.cjs <layout> <event>`: what the client runs. Whatever goes wrong in here, the agent may stop. */
function main(): void {
  const layout = layouts.find(({ id }) => id === process.argv[2]);
  const handler = handlers[process.argv[3] ?? ""];
  if (layout === undefined || handler === undefined) return;
  try {
    const answer = handler(layout, claude, parseJson(readInput()), process.env);
    if (answer !== "") print(1, answer);
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    log(
      layout,
      `${why.split("\n", 1)[0]}; the loop lets go here, ${slash(layout, "status")} shows where it stands`,
    );
  }
}

function stop(layout: Layout, host: Host, input: unknown, env: Environment): string {
  const stopped = host.parseStop(input, env);
  if (stopped === undefined) return "";
  const spec = activeSpec(layout, stopped);
  if (spec === undefined) return "";

  const now = readNow();
  const early = readDisk(spec);
  if (passBy(eventOf(stopped, early), early, now) !== undefined) return "";
  return withLock(spec.lock, () => {
    const disk = readDisk(spec);
    const { outcome, prompt: due, say: line, write } = decide(eventOf(stopped, disk), disk, now);
    if (write !== undefined) applyWrite(spec, disk.state, write, now.at);
    if (due === undefined && line !== undefined) log(layout, line);
    return host.formatAnswer({
      outcome,
      ...(due === undefined ? {} : { reason: renderPrompt(layout, due) }),
      ...(line === undefined ? {} : { say: line }),
    });
  });
}

/** The loop ends with a failed turn and nobody is asked: note why, for status and the next session. */
function stopFailure(layout: Layout, host: Host, input: unknown, env: Environment): string {
  const failed = host.parseFailure?.(input, env);
  const spec = failed === undefined ? undefined : activeSpec(layout, failed);
  if (failed === undefined || spec === undefined) return "";
  const now = readNow();
  withLock(spec.lock, () => {
    const disk = readDisk(spec);
    const loop = ourLoop(disk, failed.sessionId, now);
    if (loop === undefined) return;
    applyWrite(spec, disk.state, { event: "service-error", note: failed.error, loop }, now.at);
  });
  return "";
}

/** The user speaks while the loop is on: they see that it is, and how to pause it. */
function prompt(layout: Layout, host: Host, input: unknown, env: Environment): string {
  const spoken = host.parsePrompt?.(input, env);
  if (spoken === undefined || !spoken.typed || host.formatNotice === undefined) return "";
  const spec = activeSpec(layout, spoken);
  if (spec === undefined) return "";
  const disk = readDisk(spec);
  const loop = ourLoop(disk, spoken.sessionId, readNow());
  const state = disk.state.kind === "ok" ? disk.state.state : {};
  const waits = state.paused === true || state.awaitingApproval === true;
  if (loop === undefined || loop.told !== null || state.phase !== "execution" || waits) return "";
  const list = disk.tasks.kind === "ok" ? disk.tasks.list : undefined;
  const brief = planBrief(disk.spec, list, state, loop);
  return host.formatNotice(say.loopIsOn(disk, brief), renderInterjection(layout, brief));
}

function activeSpec(
  layout: Layout,
  { cwd, projectFolder }: { cwd: string; projectFolder?: string },
): Spec | undefined {
  const project = findProject(layout, projectFolder === undefined ? [cwd] : [projectFolder, cwd]);
  if (project === undefined || !project.settings.enabled) return undefined;
  const found = findActiveSpec(project);
  if (found.kind === "refused") log(layout, `WARNING: ${found.why}; nothing is run`);
  return found.kind === "ok" && existsSync(found.spec.state) ? found.spec : undefined;
}

const ourLoop = (disk: Disk, sessionId: string | null, now: Now) => {
  if (disk.state.kind !== "ok") return undefined;
  const loop = currentLoop(disk.state.state, disk.last, now);
  return loop.session === null || loop.session === sessionId ? loop : undefined;
};

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

function readInput(): string {
  const chunks: Buffer[] = [];
  for (let size = 0; size < MAX_INPUT_BYTES;) {
    const chunk = Buffer.allocUnsafe(64 << 10);
    const count = readChunk(chunk);
    if (count === 0) break;
    chunks.push(chunk.subarray(0, count));
    size += count;
  }
  return Buffer.concat(chunks).toString("utf8");
}

function readChunk(chunk: Buffer): number {
  for (let tries = 0; ; tries++) {
    try {
      return readSync(0, chunk);
    } catch (error) {
      if (codeOf(error) === "EOF") return 0;
      // Standard input that does not block: its writer may still be at it, but not for seconds.
      if (codeOf(error) !== "EAGAIN" || tries > 200) throw error;
      sleep(10);
    }
  }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

const log = (layout: Layout, line: string): void => print(2, `[${layout.plugin}] ${line}\n`);

main();
