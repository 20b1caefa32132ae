import { locateProgram } from "../exec/environment.ts";
import { startBeside } from "../exec/start.ts";
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
  let held: ReturnType<typeof startBeside> | undefined;
  const begin = (): void => {
    if (working++ === 0 && found !== undefined)
      held = startBeside(found.file, found.args, markDriven({ ...env }));
  };
  const end = (): void => {
    if (--working > 0) return;
    held?.pipe?.end();
    held?.child.kill();
    held = undefined;
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
