import { type ChildProcess, spawn } from "node:child_process";
import { isAbsolute } from "node:path";
import { signalGroup } from "../../exec/end-group.ts";
import { locateProgram } from "../../exec/environment.ts";
import { keepTail } from "../../exec/tail.ts";
import { clean } from "../../text/clean.ts";
import type { Work } from "../port.ts";
import { cutLines } from "./lines.ts";

/** How to start an agent's process. */
export interface Launch {
  readonly command: readonly string[];
  /** Added to the environment of the work. */
  readonly env?: Readonly<Record<string, string>>;
  /** Text for its standard input, which then ends; or `open`, for a conversation. Undefined: no input. */
  readonly input?: string | { readonly open: true };
  readonly onLine: (line: string) => void;
}

/** How a process ended. */
export interface Exit {
  readonly code: number | null;
  readonly signal: string | null;
  /** Why it never ran. */
  readonly error?: string;
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

/** A longer line, for example with a picture in it, is cut. */
const LINE_BYTES = 10 << 20;
const STDERR_BYTES = 4000;
/** How long we wait for more output after it has ended: a leftover child may hold the pipe open forever. */
const QUIET_MS = 200;
const LAST_WORDS_MS = 5000;

/** Starts an agent in its own process group, with exactly the environment of the work. */
export function start(
  work: Pick<Work, "cwd" | "env" | "wrap" | "enclose">,
  { command, env: added, input, onLine }: Launch,
  onOutput: () => void = () => undefined,
): Running {
  const env = { ...work.env, ...added };
  const [name = "", ...args] = work.wrap?.(command, Object.keys(env)) ?? command;
  const program = isAbsolute(name) ? name : locateProgram(name, env);
  if (program === undefined) return neverRan(`${name} is not on the PATH`);
  const [file = program, ...rest] = work.enclose?.([program, ...args]) ?? [program, ...args];
  const child = attempt(() =>
    spawn(file, rest, {
      cwd: work.cwd,
      env,
      stdio: [input === undefined ? "ignore" : "pipe", "pipe", "pipe"],
      // Its own group, so that it can be ended with everything it started. On Windows that would open a window.
      detached: process.platform !== "win32",
      windowsHide: true,
    }),
  );
  if (child instanceof Error) return neverRan(child.message);
  const lines = cutLines(LINE_BYTES, onLine);
  child.stdout?.on("data", (chunk: Buffer) => {
    onOutput();
    lines.push(chunk);
  });
  const tail = keepTail(STDERR_BYTES);
  child.stderr?.on("data", (chunk: Buffer) => {
    onOutput();
    tail.push(chunk);
  });
  // A process that has ended no longer reads; `ended` says how it ended.
  child.stdin?.on("error", () => undefined);
  if (typeof input === "string") child.stdin?.end(input);
  const ended = whenEnded(child).then((end): Exit => {
    lines.end();
    const stderr = clean(tail.text()).trim();
    return { ...end, stderr };
  });
  return {
    pid: child.pid,
    ended,
    isOpen: () => child.stdin?.writable === true,
    write: (text) => void child.stdin?.write(text),
    endInput: () => void child.stdin?.end(),
    signal: (signal) => signalGroup(child, signal),
  };
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

function whenEnded(child: ChildProcess): Promise<Omit<Exit, "stderr">> {
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
      const timers = [setTimeout(leave, LAST_WORDS_MS), setTimeout(leave, QUIET_MS)] as const;
      child.stdout?.on("data", () => timers[1].refresh());
      child.once("close", () => timers.forEach((timer) => clearTimeout(timer)));
    });
  });
}
