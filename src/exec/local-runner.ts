import type { Evidence } from "../run/claim/evidence.ts";
import { formatExpectation, judgeRun } from "../tasks/verify/expectation.ts";
import type { Check } from "../tasks/verify/verify.ts";
import { clean } from "../text/clean.ts";
import { planVerifyEnvironment, resolveProgram } from "./environment.ts";
import { keepTail } from "./output.ts";
import type { Wrap } from "./sandbox-argv.ts";
import { startProgram } from "./start.ts";

const TAIL_BYTES = 2000;
/** An expectation is checked only against this much output. */
const HEAD_BYTES = 1 << 20;
/** How long we wait for output after the command has ended: one of its children may hold the pipe open. */
const GRACE_MS = 200;

export interface VerifyOptions {
  readonly root: string;
  /** What is checked out. */
  readonly commit: string;
  readonly timeoutMs: number;
  /** PATH and similar variables of the user who started the run, if known. */
  readonly env?: Readonly<Record<string, string>> | undefined;
  readonly signal?: AbortSignal;
}

/**
 * Runs one command of a task's Verify, compares the result with what is expected, and returns it. When the promise
 * settles, nothing that the command started is still running. It rejects only if the signal aborts: an interrupted run
 * proves nothing.
 */
export interface VerifyRunner {
  run(check: Check, options: VerifyOptions): Promise<Evidence>;
}

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
    const env = surround(planVerifyEnvironment(process.env, users));
    const output = keepOutput();
    const running = startProgram({
      command,
      cwd: root,
      env,
      wrap: wrap?.(root),
      onOutput: output.push,
      limitMs: timeoutMs,
      signal,
      lastWordsMs: GRACE_MS,
    });
    const { error, code, isLate } = await running.ended;
    running.signal("SIGKILL");
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
      tail: output.tail(),
    };
    if (error !== undefined) return { ...common, outcome: "unrun", why: error, exitCode: null };
    if (isLate === true) return { ...common, outcome: "timed-out", exitCode: null };
    const [stdout, stderr] = [output.stdout(), output.stderr()];
    const why = judgeRun(expects, { exitCode: code, stdout, stderr });
    if (why === undefined) return { ...common, outcome: "passed", exitCode: code };
    return { ...common, outcome: "failed", exitCode: code, ...(expected === "" ? {} : { why }) };
  },
});

export const localRunner = makeLocalRunner({});

/** The end of all output for people, and the beginning of each stream to check expectations against. */
function keepOutput() {
  const tail = keepTail(TAIL_BYTES);
  const heads = { stdout: keepHead(), stderr: keepHead() };
  return {
    push(chunk: Buffer, from: "stdout" | "stderr"): void {
      tail.push(chunk);
      heads[from].push(chunk);
    },
    tail: () => plain(tail.text()),
    stdout: () => plain(heads.stdout.text()),
    stderr: () => plain(heads.stderr.text()),
  };
}

function keepHead() {
  const chunks: Buffer[] = [];
  let size = 0;
  return {
    push(chunk: Buffer): void {
      if (size < HEAD_BYTES) chunks.push(chunk);
      size += chunk.length;
    },
    text: () => Buffer.concat(chunks).toString("utf8"),
  };
}

/** Without colors, which are for terminals. */
const plain = (text: string): string =>
  // eslint-disable-next-line no-control-regex -- colors begin with one
  clean(text.replace(/\u001b\[[0-9;?]*[A-Za-z]/g, "")).trim();
