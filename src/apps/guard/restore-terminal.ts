import { spawnSync } from "node:child_process";
import { writeSync } from "node:fs";
import { tellDied } from "../../engine/local-time.ts";
import { capitalize } from "../../text/wording.ts";
import { SCREEN } from "../run/painter.ts";

/** Only the live view takes the keyboard's signals away. A shell at its prompt has its own modes, which stay. */
const SANE = 'case "$(stty -a)" in *-isig*) stty sane;; esac';

/** A shell that waits for the runner restores the modes itself, if it is given a moment. */
const SHELL_MS = 200;

/** Gives back the terminal on standard output, on which a killed runner had its live view. */
export function restoreTerminal(goOn: string): void {
  const told = `${capitalize(tellDied(new Date().toISOString()))}; ${goOn} continues.`;
  try {
    writeSync(1, `${SCREEN.end}${SCREEN.leave}\r\n${told}\r\n`);
  } catch {
    // The terminal is gone.
    return;
  }
  setTimeout(() => {
    spawnSync("sh", ["-c", SANE], { stdio: [1, "ignore", "ignore"], timeout: 5000 });
  }, SHELL_MS);
}
