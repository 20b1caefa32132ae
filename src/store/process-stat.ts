import { readText } from "./read.ts";

/** What Linux says about a living process. */
export interface ProcessStat {
  readonly parent: number;
  readonly hasTerminal: boolean;
  /** When it began, in ticks since boot. */
  readonly began: string;
  /** Its first thread has ended. If it has children, others have not: nobody can look into such a process. */
  readonly isZombie: boolean;
}

/** Undefined if it has ended, or on other systems. A zombie has ended. */
export function readProcessStat(pid: number): ProcessStat | undefined {
  const stat = readAnyProcessStat(pid);
  return stat?.isZombie === true ? undefined : stat;
}

export function readAnyProcessStat(pid: number): ProcessStat | undefined {
  const file = readText(`/proc/${pid}/stat`, 4 << 10);
  if (file.kind !== "ok") return undefined;
  // The program's name comes first, in parentheses, and may itself contain parentheses and spaces.
  const words = file.text.slice(file.text.lastIndexOf(")") + 2).split(" ");
  const [state, parent, , , terminal] = words;
  const began = words[19];
  return state === "X" || began === undefined
    ? undefined
    : { parent: Number(parent), hasTerminal: terminal !== "0", began, isZombie: state === "Z" };
}
