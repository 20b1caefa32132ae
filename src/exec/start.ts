import { type ChildProcess, spawn } from "node:child_process";
import type { Socket } from "node:net";
import { isAbsolute } from "node:path";
import { markDriven } from "../run/driven.ts";
import { clean } from "../text/clean.ts";
import { signalGroup } from "./end-group.ts";
import { locateProgram } from "./environment.ts";
import { cutLines, keepTail } from "./output.ts";
import { type Environment, readVariable } from "./program.ts";
import { readShell } from "./shell.ts";

/** How to start a program that is not ours: an agent, a Verify, what the user has set up. */
export interface Start {
  /** A program with its arguments, or a line for the shell. */
  readonly command: readonly string[] | string;
  readonly cwd: string;
  /** All that it gets, besides our mark. */
  readonly env: Environment;
  /** Wraps the command line in a sandbox, which gets the named variables. */
  readonly wrap?:
    | ((command: readonly string[], names: readonly string[]) => readonly string[])
    | undefined;
  /** Puts the command line into a PID namespace of its own. */
  readonly enclose?: ((command: readonly string[]) => readonly string[]) | undefined;
  /** Text for its standard input, which then ends; or `open`, for a conversation. Undefined: no input. */
  readonly input?: string | { readonly open: true };
  /** Gets the lines of its standard output. */
  readonly onLine?: (line: string) => void;
  readonly onOutput?: ((chunk: Buffer, from: "stdout" | "stderr") => void) | undefined;
  /** Nobody reads what it prints, not even its errors. */
  readonly isMute?: true;
  /** It is killed after this time, or when the signal aborts. */
  readonly limitMs?: number;
  readonly signal?: AbortSignal | undefined;
  /** How long it may print after it has ended, if it does not stop: a child of it may hold the pipe open. */
  readonly lastWordsMs?: number;
}

/** How a process ended. */
export interface Exit {
  readonly code: number | null;
  readonly signal: string | null;
  /** Why it never ran. */
  readonly error?: string;
  /** Its time was up. */
  readonly isLate?: true;
  /** The end of what it wrote to standard error, safe to show. */
  readonly stderr: string;
}

export interface Running {
  readonly pid: number | undefined;
  /** Settles when it has ended and its output has been read. Never rejects. */
  readonly ended: Promise<Exit>;
  readonly isOpen: () => boolean;
  readonly write: (text: string) => void;
  readonly endInput: () => void;
  /** Signals the whole process group, even after its leader has ended. */
  readonly signal: (name: "SIGTERM" | "SIGKILL") => void;
}

/** A timer set for longer (24 days) fires at once. */
export const MAX_TIMER_MS = 2 ** 31 - 1;
/** A longer line, for example with a picture in it, is cut. */
const LINE_BYTES = 10 << 20;
const STDERR_BYTES = 4000;
/** How long we wait for more output after it has ended. */
const QUIET_MS = 200;
const LAST_WORDS_MS = 5000;

/** Starts a program in its own process group. */
export function startProgram(start: Start): Running {
  const { cwd, input, onLine, onOutput, isMute, limitMs, signal } = start;
  // Whatever it does, it is not the user.
  const env = markDriven({ ...start.env });
  const plan = planCommand(start, env);
  if (typeof plan === "string") return neverRan(plan);
  const output = isMute === true ? "ignore" : "pipe";
  const child = attempt(() =>
    spawn(plan.file, plan.args, {
      cwd,
      env,
      shell: plan.shell,
      stdio: [input === undefined ? "ignore" : "pipe", output, output],
      // Its own group, so that it can be ended with everything it started. On Windows that would open a window.
      detached: process.platform !== "win32",
      windowsHide: true,
    }),
  );
  if (child instanceof Error) return neverRan(child.message);
  const lines = cutLines(LINE_BYTES, onLine ?? (() => undefined));
  const tail = keepTail(STDERR_BYTES);
  child.stdout?.on("data", (chunk: Buffer) => {
    onOutput?.(chunk, "stdout");
    if (onLine !== undefined) lines.push(chunk);
  });
  child.stderr?.on("data", (chunk: Buffer) => {
    onOutput?.(chunk, "stderr");
    tail.push(chunk);
  });
  // A process that has ended no longer reads; `ended` says how it ended.
  child.stdin?.on("error", () => undefined);
  if (typeof input === "string") child.stdin?.end(input);
  let isLate = false;
  const kill = (): void => {
    child.stdout?.destroy();
    child.stderr?.destroy();
    signalGroup(child, "SIGKILL");
  };
  const onLate = (): void => {
    isLate = true;
    kill();
  };
  const timer =
    limitMs === undefined ? undefined : setTimeout(onLate, Math.min(limitMs, MAX_TIMER_MS));
  // At once: the caller may exit right after aborting, and the program must not continue without us.
  signal?.addEventListener("abort", kill);
  if (signal?.aborted === true) kill();
  const ended = whenEnded(child, start.lastWordsMs ?? LAST_WORDS_MS).then((end): Exit => {
    clearTimeout(timer);
    signal?.removeEventListener("abort", kill);
    lines.end();
    return { ...end, ...(isLate ? { isLate } : {}), stderr: clean(tail.text()).trim() };
  });
  return {
    pid: child.pid,
    ended,
    isOpen: () => child.stdin?.writable === true,
    write: (text) => void child.stdin?.write(text),
    endInput: () => void child.stdin?.end(),
    signal: (name) => signalGroup(child, name),
  };
}

/** What to start, or why it cannot be started. */
function planCommand({ command, wrap, enclose }: Start, env: Environment) {
  const words = typeof command === "string" ? shellLine(command, env) : command;
  // Node would use the COMSPEC of our own environment.
  if (words === undefined)
    return { file: String(command), args: [], shell: readVariable(env, "COMSPEC") ?? true };
  const [name = "", ...args] = wrap?.(words, Object.keys(env)) ?? words;
  const program = isAbsolute(name) ? name : locateProgram(name, env);
  if (program === undefined) return `${name} is not on the PATH`;
  const [file = program, ...rest] = enclose?.([program, ...args]) ?? [program, ...args];
  return { file, args: rest, shell: false };
}

function shellLine(command: string, env: Environment): readonly string[] | undefined {
  const { file, args } = readShell(command, env);
  return file === undefined ? undefined : [file, ...args];
}

/** Node throws some errors, for example for a command line that is too long, and emits others later. */
function attempt(begin: () => ChildProcess): ChildProcess | Error {
  try {
    return begin();
  } catch (error) {
    return error as Error;
  }
}

const neverRan = (error: string): Running => ({
  pid: undefined,
  ended: Promise.resolve({ code: null, signal: null, error, stderr: "" }),
  isOpen: () => false,
  write: () => undefined,
  endInput: () => undefined,
  signal: () => undefined,
});

function whenEnded(child: ChildProcess, lastWordsMs: number): Promise<Omit<Exit, "stderr">> {
  return new Promise((resolve) => {
    child.once("error", ({ message }) => {
      // Node also emits this for a signal that could not be sent.
      if (child.pid === undefined) resolve({ code: null, signal: null, error: message });
    });
    child.once("close", (code, signal) => resolve({ code, signal }));
    child.once("exit", (code, signal) => {
      const leave = (): void => {
        child.stdout?.destroy();
        child.stderr?.destroy();
        resolve({ code, signal });
      };
      const timers = [setTimeout(leave, lastWordsMs), setTimeout(leave, QUIET_MS)] as const;
      child.stdout?.on("data", () => timers[1].refresh());
      child.once("close", () => timers.forEach((timer) => clearTimeout(timer)));
    });
  });
}

/** Runs a program that answers at once, for example with its version. Undefined if it takes too long. */
export async function askProgram(
  place: Pick<Start, "cwd" | "env">,
  command: readonly string[],
  limitMs: number,
): Promise<(Exit & { readonly stdout: string }) | undefined> {
  const lines: string[] = [];
  const { cwd, env } = place;
  const running = startProgram({ cwd, env, command, limitMs, onLine: (line) => lines.push(line) });
  const exit = await running.ended;
  running.signal("SIGKILL");
  return exit.isLate === true ? undefined : { ...exit, stdout: lines.join("\n") };
}

/** A program that lives beside us, however we end, in a session of its own: Ctrl-C is for us. We do not wait for it. */
export function startBeside(
  file: string,
  args: readonly string[],
  env: NodeJS.ProcessEnv,
  stdout: "ignore" | "inherit" = "ignore",
): { readonly child: ChildProcess; readonly pipe: Socket | undefined } {
  const child = spawn(file, args, {
    cwd: "/",
    env,
    detached: true,
    windowsHide: true,
    stdio: ["pipe", stdout, "ignore"],
  });
  child.on("error", () => undefined).unref();
  // There is no pipe if too few files can be open.
  const pipe = child.stdin as Socket | undefined;
  pipe?.on("error", () => undefined);
  pipe?.unref();
  return { child, pipe };
}
