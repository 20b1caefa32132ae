import type { Place } from "../port.ts";
import { type Exit, start } from "./start.ts";

export interface Answer extends Exit {
  readonly stdout: string;
}

/** Runs a program that answers at once, for example with its version. Undefined if it takes too long. */
export async function askProgram(
  place: Place,
  command: readonly string[],
  withinMs: number,
): Promise<Answer | undefined> {
  const lines: string[] = [];
  const running = start(place, { command, onLine: (line) => lines.push(line) });
  let isLate = false;
  const timer = setTimeout(() => {
    isLate = true;
    running.signal("SIGKILL");
  }, withinMs);
  const exit = await running.ended;
  clearTimeout(timer);
  running.signal("SIGKILL");
  return isLate ? undefined : { ...exit, stdout: lines.join("\n") };
}
