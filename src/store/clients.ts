import { readdirSync } from "node:fs";
import { join } from "node:path";
import { readProcessStat } from "./process-stat.ts";
import { faultIn, statOf } from "./read.ts";
import { vaultFolder } from "./vault-place.ts";
import { removeFile, writePrivate } from "./write.ts";

const folderOf = (): string | undefined => vaultFolder("clients");

/** One file for each process: no event, not even a made-up one, replaces what another has noted. */
const nameOf = (pid: number, began: string): string => `${pid}-${began}`;

/** Notes a client whose hook has been called. Those that have ended are forgotten. */
export function noteClient(pid: number, began: string): void {
  const folder = folderOf();
  if (folder === undefined || isClient(pid, began)) return;
  faultIn(() => {
    writePrivate(join(folder, nameOf(pid, began)), "");
    for (const name of readdirSync(folder)) {
      const [number = "", start] = name.split("-");
      if (readProcessStat(Number(number))?.began !== start) removeFile(join(folder, name));
    }
  });
}

/** Whether a hook of ours was called by this process. */
export function isClient(pid: number, began: string): boolean {
  const folder = folderOf();
  return folder !== undefined && statOf(join(folder, nameOf(pid, began))) !== undefined;
}
