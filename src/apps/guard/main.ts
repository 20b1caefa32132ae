import { rmSync } from "node:fs";
import { keepGuard } from "../../agents/process/guard.ts";
import { tellDied } from "../../engine/local-time.ts";
import { faultIn } from "../../store/read.ts";
import { capitalize } from "../../text/wording.ts";
import { restoreTerminal } from "./restore-terminal.ts";

const [, , mark = "", passing = "", told] = process.argv;

/**
 * `node guard.cjs <mark of the run> <folder to remove> [what to do if it is killed]`, started by the runner, and without
 * a mark by `watch`.
 */
async function main(): Promise<void> {
  let restored: Promise<void> | undefined;
  const isCut = await keepGuard(mark, process.stdin, () => {
    if (told === undefined) return;
    const died = capitalize(tellDied(new Date().toISOString()));
    restored = restoreTerminal(`${mark === "" ? "The view was killed" : died}; ${told}.`);
  });
  if (isCut && passing !== "")
    faultIn(() => rmSync(passing, { recursive: true, force: true, maxRetries: 3 }));
  await restored;
  // At its end, node would set the terminal to the modes in which it found it: those of the view.
  if (told !== undefined) process.kill(process.pid, "SIGKILL");
}

void main();
