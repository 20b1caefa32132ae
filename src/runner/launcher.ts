import { chmodSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import { writeWhole } from "../store/write.ts";
import { quoteForShell } from "../text/quote.ts";
import { SHELL_PROGRAM } from "../text/wording.ts";

/** Lets agents call us by a bare name, which some of them insist on, with the node that runs us. */
export function writeLauncher(folder: string, program: string): string {
  const bin = join(folder, "bin");
  mkdirSync(bin, { recursive: true, mode: 0o700 });
  const line = [process.execPath, program].map(quoteForShell).join(" ");
  const path = join(bin, SHELL_PROGRAM);
  writeWhole(path, `#!/bin/sh\nexec ${line} "$@"\n`);
  chmodSync(path, 0o700);
  return bin;
}
