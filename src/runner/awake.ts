import { type ChildProcess, spawn } from "node:child_process";
import type { Socket } from "node:net";
import { locateProgram } from "../exec/environment.ts";
import { markDriven } from "../run/driven.ts";

/** Keeps the machine from going to sleep. */
export interface Awake {
  /** While this work is done. Several specs may be at work at the same time. */
  readonly during: <T>(work: () => Promise<T>) => Promise<T>;
  /** In the middle of it: nobody works while this is waited for. */
  readonly rest: <T>(wait: () => Promise<T>) => Promise<T>;
}

type Variables = Readonly<Record<string, string | undefined>>;

/** Both end with us, however we end: one watches our process, the other's child reads a pipe that closes with it. */
const PROGRAMS: readonly (readonly [string, ...string[]])[] = [
  ["caffeinate", "-i", "-s", "-w", String(process.pid)],
  [
    "systemd-inhibit",
    "--what=idle:sleep",
    "--who=smart-ralph",
    "--why=a run is working",
    "--mode=block",
    "cat",
  ],
];

/** Does nothing if neither program is there. One that fails, as in a container, is no problem. */
export function openAwake(isWanted: boolean, env: Variables): Awake {
  const found = isWanted
    ? PROGRAMS.flatMap(([name, ...args]) => {
        const file = locateProgram(name, env);
        return file === undefined ? [] : [{ file, args }];
      })[0]
    : undefined;
  let working = 0;
  let child: ChildProcess | undefined;
  const begin = (): void => {
    if (working++ === 0 && found !== undefined) child = hold(found, env);
  };
  const end = (): void => {
    if (--working > 0) return;
    child?.stdin?.end();
    child?.kill();
    child = undefined;
  };
  return {
    during(work) {
      begin();
      return work().finally(end);
    },
    rest(wait) {
      end();
      return wait().finally(begin);
    },
  };
}

/** In a session of its own: Ctrl-C is for us, and we still have work to put away then. */
function hold({ file, args }: { file: string; args: readonly string[] }, env: Variables) {
  const child = spawn(file, args, {
    cwd: "/",
    env: markDriven({ ...env }),
    detached: true,
    stdio: ["pipe", "ignore", "ignore"],
  });
  child.on("error", () => undefined).unref();
  // There is no pipe if too few files can be open.
  const pipe = child.stdin as Socket | undefined;
  pipe?.on("error", () => undefined);
  pipe?.unref();
  return child;
}
