import { spawnSync } from "node:child_process";
import { writeSync } from "node:fs";
import { setTimeout as delay } from "node:timers/promises";
import { wrap } from "../cli/columns.ts";
import { SCREEN } from "../run/painter.ts";

/** Only the live view takes the keyboard's signals away. A shell at its prompt has its own modes, which stay. */
const SANE = 'case "$(stty -a)" in *-isig*) stty sane;; esac';

/** A shell that waits for the process restores the modes itself, if it is given a moment. */
const SHELL_MS = 200;

/** Gives back the terminal on standard output, on which a killed process had its live view, and says why. */
export async function restoreTerminal(told: string): Promise<void> {
  try {
    writeSync(
      1,
      `${SCREEN.end}${SCREEN.leave}\r\n${wrap(told, process.stdout.columns || 80).replaceAll("\n", "\r\n")}\r\n`,
    );
  } catch {
    // The terminal is gone.
    return;
  }
  await delay(SHELL_MS);
  spawnSync("sh", ["-c", SANE], { stdio: [1, "ignore", "ignore"], timeout: 5000 });
}
