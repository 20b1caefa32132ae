import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { clean } from "../text/clean.ts";
import type { Evidence } from "../run/claim/evidence.ts";
import { findProgram, valueOf } from "./program.ts";
import { readShell } from "./shell.ts";
import { planVerifyEnvironment, resolveProgram } from "./environment.ts";

export interface VerifyOptions {
  readonly root: string;
  /** What is checked out. */
  readonly commit: string;
  readonly timeoutMs: number;
  /** PATH and its like of whoever started the run, where that is known. */
  readonly env?: Readonly<Record<string, string>> | undefined;
}

const TAIL_BYTES = 2000;
/** How long output may still come after the command has ended: a child of its own may hold the pipe. */
const GRACE_MS = 200;
/** A timer that is set for longer goes off at once. It is 24 days. */
const MAX_TIMER_MS = 2 ** 31 - 1;

/**
 * Runs one command of a task's Verify, as the user, in the project, and tells what came of it. The text goes to the
 * shell as it stands in tasks.md; nothing is added to it. The command and all it started are ended at the timeout.
 */
export async function runVerify(
  command: string,
  { root, commit, timeoutMs, env: users }: VerifyOptions,
): Promise<Evidence> {
  const began = performance.now();
  const env = planVerifyEnvironment(process.env, users);
  const child = start(command, root, env);
  const tail = keepTail(child);
  let timedOut = false;
  const timer = setTimeout(
    () => {
      timedOut = true;
      endAll(child);
    },
    Math.min(timeoutMs, MAX_TIMER_MS),
  );
  const stopListening = endWithUs(child);
  const end = await ended(child);
  clearTimeout(timer);
  stopListening();
  endAll(child);
  const milliseconds = Math.round(performance.now() - began);
  const program = resolveProgram(command, env);
  const common = {
    command,
    ...(program === undefined ? {} : { program }),
    milliseconds,
    commit,
    tail: tail(),
  };
  if (typeof end === "string") return { ...common, outcome: "unrun", why: end, exitCode: null };
  if (timedOut) return { ...common, outcome: "timed-out", exitCode: null };
  return { ...common, outcome: end === 0 ? "passed" : "failed", exitCode: end };
}

function start(command: string, root: string, env: NodeJS.ProcessEnv): ChildProcess {
  const stdio = ["ignore", "pipe", "pipe"] as ["ignore", "pipe", "pipe"];
  const { file, args } = readShell(command, env);
  // By itself node would take the one that our own environment names.
  const shell = valueOf(env, "COMSPEC") ?? true;
  if (file === undefined) return spawn(command, { cwd: root, stdio, env, shell });
  // A group of its own, so that it can be ended with everything it started. On Windows that would be a window of its own.
  return spawn(file, args, { cwd: root, stdio, env, detached: process.platform !== "win32" });
}

/** The exit code, null after a signal, or a sentence if it never ran. */
function ended(child: ChildProcess): Promise<number | null | string> {
  return new Promise((resolve) => {
    child.once("error", (error) => resolve(error.message));
    child.once("close", (code) => resolve(code));
    // The pipe that is waited for keeps us running; the timer must not do so once it is closed.
    child.once("exit", (code) => setTimeout(() => resolve(code), GRACE_MS).unref());
  });
}

function keepTail(child: ChildProcess): () => string {
  let kept = Buffer.alloc(0);
  const add = (chunk: Buffer): void => {
    kept = Buffer.concat([kept, chunk]).subarray(-TAIL_BYTES);
  };
  child.stdout?.on("data", add);
  child.stderr?.on("data", add);
  return () => plain(kept.toString("utf8"));
}

/** Colours and the like are for terminals, and a journal line has to stay short. A character may be cut at the start. */
const plain = (text: string): string =>
  // eslint-disable-next-line no-control-regex -- colours begin with one
  clean(text.replace(/\u001b\[[0-9;?]*[A-Za-z]/g, ""))
    .replace(/^\uFFFD+/, "")
    .trim();

function endAll(child: ChildProcess): void {
  child.stdout?.destroy();
  child.stderr?.destroy();
  if (child.pid === undefined) return;
  try {
    if (process.platform === "win32") endTree(child);
    else process.kill(-child.pid, "SIGKILL");
  } catch {
    // Nothing of it is left.
  }
}

/** Windows knows no groups: while the shell is there, its children are found by it. */
function endTree(child: ChildProcess): void {
  if (child.exitCode !== null) return;
  const taskkill = findProgram("taskkill");
  if (taskkill !== undefined)
    spawnSync(taskkill, ["/pid", String(child.pid), "/T", "/F"], { windowsHide: true });
  child.kill("SIGKILL");
}

/** The client may end us at its own timeout: then the command must not go on without us. */
function endWithUs(child: ChildProcess): () => void {
  const signals = ["SIGINT", "SIGTERM", "SIGHUP"] as const;
  const end = (): void => {
    endAll(child);
    process.exit(1);
  };
  for (const signal of signals) process.once(signal, end);
  return () => {
    for (const signal of signals) process.off(signal, end);
  };
}
