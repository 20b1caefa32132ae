import {
  closeSync,
  constants,
  fstatSync,
  openSync,
  renameSync,
  statSync,
  unlinkSync,
  writeFileSync,
  writeSync,
} from "node:fs";
import { codeOf } from "./read.ts";

/** Replaces a file whole: a reader sees the old text or the new one, never half of either. */
export function writeWhole(path: string, text: string): void {
  const temporary = `${path}.${process.pid}.tmp`;
  try {
    writeFileSync(temporary, text, { mode: modeOf(path), flag: "wx" });
  } catch (error) {
    // Left behind by a process that had our number and died before its rename.
    if (codeOf(error) !== "EEXIST") throw error;
    unlinkSync(temporary);
    writeFileSync(temporary, text, { mode: modeOf(path), flag: "wx" });
  }
  try {
    renameSync(temporary, path);
  } catch (error) {
    removeFile(temporary);
    throw error;
  }
}

function modeOf(path: string): number {
  try {
    return statSync(path).mode & 0o777;
  } catch {
    return 0o644;
  }
}

const APPEND =
  constants.O_WRONLY |
  constants.O_APPEND |
  constants.O_CREAT |
  (constants.O_NONBLOCK ?? 0) |
  (constants.O_NOFOLLOW ?? 0);

/** Adds a line in one write; `afterTorn` closes a line that a crash left open. */
export function appendLine(path: string, line: string, afterTorn: boolean): void {
  const fd = openSync(path, APPEND, 0o644);
  try {
    if (!fstatSync(fd).isFile()) throw new Error(`${path} is not a file`);
    writeSync(fd, afterTorn ? `\n${line}` : line);
  } finally {
    closeSync(fd);
  }
}

export function removeFile(path: string): void {
  try {
    unlinkSync(path);
  } catch (error) {
    if (codeOf(error) !== "ENOENT") throw error;
  }
}
