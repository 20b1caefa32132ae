import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { REPOSITORY } from "./child.ts";
import type { Place } from "./support.ts";

/** `script` runs a program in a terminal of its own; where there is none, there is no terminal to test with. */
export const hasTerminal =
  process.platform === "linux" && spawnSync("script", ["--version"]).status === 0;

const CLI = join(REPOSITORY, "bin/smart-ralph.cjs");
const quote = (word: string): string => `'${word.replaceAll("'", "'\\''")}'`;

/** The line that runs our program in a terminal of this size. */
export const inTerminal = (columns: number, args: readonly string[], rows = 40): string[] => [
  "-qec",
  `stty cols ${columns} rows ${rows}; exec ${[process.execPath, CLI, ...args].map(quote).join(" ")}`,
  "/dev/null",
];

/** What a person sees, without colours. */
export function showIn(columns: number, place: Place, args: readonly string[]): string {
  const { stdout } = spawnSync("script", inTerminal(columns, args), {
    cwd: place.root,
    env: { ...place.env, TERM: "xterm", NO_COLOR: "1", SHELL: "/bin/sh" },
    timeout: 60_000,
  });
  return String(stdout).replaceAll("\r\n", "\n");
}
