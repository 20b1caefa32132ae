import { type ChildProcess, spawn } from "node:child_process";
import type { Readable } from "node:stream";
import { markDriven } from "../run/driven.ts";
import { formatExpectation, judgeRun } from "../tasks/verify/expectation.ts";
import { clean } from "../text/clean.ts";
import { signalGroup } from "./end-group.ts";
import { planVerifyEnvironment, resolveProgram } from "./environment.ts";
import { readVariable } from "./program.ts";
import type { Wrap } from "./sandbox-argv.ts";
import { readShell } from "./shell.ts";
import { keepTail } from "./tail.ts";
import type { VerifyRunner } from "./verify-runner.ts";

const TAIL_BYTES = 2000;
/** An expectation is checked only against this much output. */
const HEAD_BYTES = 1 << 20;
/** How long we wait for output after the command has ended: one of its children may hold the pipe open. */
const GRACE_MS = 200;
/** A timer set for longer (24 days) fires at once. */
const MAX_TIMER_MS = 2 ** 31 - 1;

/** The environment and sandbox of a Verify command. */
export interface Surroundings {
  /** Changes the environment that it would have otherwise. */
  readonly env?: (env: NodeJS.ProcessEnv) => NodeJS.ProcessEnv;
  /** The sandbox for a command that runs in this folder. */
  readonly wrap?: (root: string) => Wrap;
}

/** In the user's shell, as the user, in the project. The shell gets the text exactly as in tasks.md. */
export const makeLocalRunner = ({
  env: surround = (env) => env,
  wrap,
}: Surroundings): VerifyRunner => ({
  async run({ command, expects, doubt }, { root, commit, timeoutMs, env: users, signal }) {
    signal?.throwIfAborted();
    const began = performance.now();
    // Agents write what it runs.
    const env = markDriven(surround(planVerifyEnvironment(process.env, users)));
    const child = start(command, root, env, wrap?.(root));
    const { tail, stdout, stderr } = keepOutput(child);
    let timedOut = false;
    const timer = setTimeout(
      () => {
        timedOut = true;
        endAll(child);
      },
      Math.min(timeoutMs, MAX_TIMER_MS),
    );
    // At once: the caller may exit right after aborting, and the command must not continue without us.
    const abort = (): void => endAll(child);
    signal?.addEventListener("abort", abort);
    const end = await ended(child);
    clearTimeout(timer);
    signal?.removeEventListener("abort", abort);
    endAll(child);
    signal?.throwIfAborted();
    const program = resolveProgram(command, env);
    const expected = formatExpectation(expects);
    const common = {
      command,
      ...(expected === "" ? {} : { expects: expected }),
      ...(doubt === undefined ? {} : { doubt: doubt.why }),
      ...(program === undefined ? {} : { program }),
      milliseconds: Math.round(performance.now() - began),
      commit,
      tail: tail(),
    };
    if (typeof end === "string") return { ...common, outcome: "unrun", why: end, exitCode: null };
    if (timedOut) return { ...common, outcome: "timed-out", exitCode: null };
    const why = judgeRun(expects, { exitCode: end, stdout: stdout(), stderr: stderr() });
    if (why === undefined) return { ...common, outcome: "passed", exitCode: end };
    return { ...common, outcome: "failed", exitCode: end, ...(expected === "" ? {} : { why }) };
  },
});

export const localRunner = makeLocalRunner({});

function start(
  command: string,
  root: string,
  env: NodeJS.ProcessEnv,
  wrap: Wrap | undefined,
): ChildProcess {
  const stdio = ["ignore", "pipe", "pipe"] as ["ignore", "pipe", "pipe"];
  const { file, args } = readShell(command, env);
  // Node would use the COMSPEC of our own environment.
  const shell = readVariable(env, "COMSPEC") ?? true;
  if (file === undefined) return spawn(command, { cwd: root, stdio, env, shell });
  const [program = file, ...rest] = wrap?.([file, ...args], Object.keys(env)) ?? [file, ...args];
  // A separate group, so that it can be ended with everything it started. On Windows that would open a window.
  return spawn(program, rest, { cwd: root, stdio, env, detached: process.platform !== "win32" });
}

/** The exit code, null after a signal, or a sentence if it never ran. */
function ended(child: ChildProcess): Promise<number | null | string> {
  return new Promise((resolve) => {
    child.once("error", (error) => resolve(error.message));
    child.once("close", (code) => resolve(code));
    // The open pipe keeps us running; once it is closed, the timer must not.
    child.once("exit", (code) => setTimeout(() => resolve(code), GRACE_MS).unref());
  });
}

/** The end of all output for people, and the beginning of each stream to check expectations against. */
function keepOutput(child: ChildProcess): Record<"tail" | "stdout" | "stderr", () => string> {
  const tail = keepTail(TAIL_BYTES);
  child.stdout?.on("data", tail.push);
  child.stderr?.on("data", tail.push);
  return {
    tail: () => plain(tail.text()),
    stdout: keepHead(child.stdout),
    stderr: keepHead(child.stderr),
  };
}

function keepHead(stream: Readable | null): () => string {
  const chunks: Buffer[] = [];
  let size = 0;
  stream?.on("data", (chunk: Buffer) => {
    if (size < HEAD_BYTES) chunks.push(chunk);
    size += chunk.length;
  });
  return () => plain(Buffer.concat(chunks).toString("utf8"));
}

/** Without colors, which are for terminals. */
const plain = (text: string): string =>
  // eslint-disable-next-line no-control-regex -- colors begin with one
  clean(text.replace(/\u001b\[[0-9;?]*[A-Za-z]/g, "")).trim();

function endAll(child: ChildProcess): void {
  child.stdout?.destroy();
  child.stderr?.destroy();
  signalGroup(child, "SIGKILL");
}
