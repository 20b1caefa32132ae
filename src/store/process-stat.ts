import { readText } from "./read.ts";

/** What Linux says about a living process. */
export interface ProcessStat {
  readonly parent: number;
  readonly hasTerminal: boolean;
  /** When it began, in the system's ticks since it was booted. */
  readonly began: string;
}

/** Undefined for one that has ended, or where there is no Linux. A zombie has ended; nobody has asked how yet. */
export function readProcessStat(pid: number): ProcessStat | undefined {
  const file = readText(`/proc/${pid}/stat`, 4 << 10);
  if (file.kind !== "ok") return undefined;
  // The name of the program comes first, in brackets, and may have brackets and spaces in it.
  const words = file.text.slice(file.text.lastIndexOf(")") + 2).split(" ");
  const [state, parent, , , terminal] = words;
  const began = words[19];
  return state === "Z" || state === "X" || began === undefined
    ? undefined
    : { parent: Number(parent), hasTerminal: terminal !== "0", began };
}
