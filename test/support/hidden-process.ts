import { spawnSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { makeFolder } from "../program/temporary.ts";

/** A shell command below this many others, each with an empty environment. */
export function atDepth(levels: number, command: string): string {
  const file = join(makeFolder(), "deep.sh");
  // What comes last in a script may take the place of its shell: so something else does.
  const next = `env -i HOME="$HOME" PATH="$PATH" sh "$0" $(($1 - 1))`;
  writeFileSync(file, `if [ "$1" -gt 0 ]; then ${next}; else ${command}; fi\n:\n`);
  return `sh ${file} ${levels}`;
}

/** The number of the call that ends a thread, and not its process. */
const EXIT = { x64: 60, arm64: 93 }[process.arch as string] ?? 0;

const PROGRAM = `
import ctypes, os, sys, threading, time
def go():
    time.sleep(0.3)
    os.system(sys.argv[1])
    os._exit(0)
threading.Thread(target=go).start()
ctypes.CDLL(None).syscall(${EXIT}, 0)
`;

/** Why there can be no such process here, for the name of a test. */
export const deadThreadMissing = (): string | undefined =>
  EXIT === 0
    ? " (skipped: the call is not known for this processor)"
    : spawnSync("python3", ["-c", "import ctypes"]).status === 0
      ? undefined
      : " (skipped: there is no python3 here)";

/** A shell command below a process whose first thread has ended: neither its environment nor its program can be read. */
export function belowDeadThread(command: string): string {
  const folder = makeFolder();
  writeFileSync(join(folder, "hidden.py"), PROGRAM);
  writeFileSync(join(folder, "command.sh"), `${command}\n:\n`);
  // It gets what it prints through a file: whoever waits for the first thread may think that all is over.
  const bare = `env -i HOME="$HOME" PATH="$PATH"`;
  return `${bare} python3 ${folder}/hidden.py 'sh ${folder}/command.sh'`;
}
