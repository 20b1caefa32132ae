import { keepGuard } from "../../agents/process/guard.ts";
import { tellDied } from "../../engine/local-time.ts";
import { capitalize } from "../../text/wording.ts";
import { restoreTerminal } from "./restore-terminal.ts";

const [, , mark = "", goOn] = process.argv;

/** `node guard.cjs <mark of the run> [how it is continued]`, started by the runner, and without a mark by `watch`. */
async function main(): Promise<void> {
  let restored: Promise<void> | undefined;
  await keepGuard(mark, process.stdin, () => {
    if (goOn === undefined) return;
    const died = capitalize(tellDied(new Date().toISOString()));
    const killed = mark === "" ? "The view was killed" : died;
    restored = restoreTerminal(
      `${killed}; ${goOn} ${mark === "" ? "shows it again" : "continues"}.`,
    );
  });
  await restored;
  // At its end, node would set the terminal to the modes in which it found it: those of the view.
  if (goOn !== undefined) process.kill(process.pid, "SIGKILL");
}

void main();
