import {
  closeSync,
  constants,
  fchmodSync,
  fchownSync,
  fstatSync,
  ftruncateSync,
  mkdirSync,
  openSync,
  readSync,
  renameSync,
  unlinkSync,
  writeSync,
} from "node:fs";
import { dirname } from "node:path";
import { processName } from "./process-id.ts";
import { codeOf, type Encoding, FileFault, sleep, statOf, withPath } from "./read.ts";

/** Replaces a whole file: a reader sees the old text or the new one, never half of either. */
export function writeWhole(path: string, text: string, encoding: Encoding = "utf8"): void {
  const temporary = `${path}.${processName()}.tmp`;
  try {
    const fd = openNew(temporary);
    try {
      writeAll(fd, Buffer.from(text, encoding));
      keepRights(fd, path);
    } finally {
      closeSync(fd);
    }
    retryIfBusy(() => renameSync(temporary, path));
  } catch (error) {
    removeFile(temporary);
    throw withPath(path, error);
  }
}

export const makeFolder = (folder: string): void =>
  void mkdirSync(folder, { recursive: true, mode: 0o700 });

/** A file in the user's own folder, with the folders above it. */
export function writePrivate(path: string, text: string): void {
  makeFolder(dirname(path));
  writeWhole(path, text);
}

/** Usually one write. On a full disk a write is short, and the next one fails. */
function writeAll(fd: number, bytes: Buffer): void {
  for (let written = 0; written < bytes.length;) written += writeSync(fd, bytes, written);
}

function openNew(path: string): number {
  try {
    return openSync(path, "wx");
  } catch (error) {
    // Left by a process that had our name and died before its rename.
    if (codeOf(error) !== "EEXIST") throw error;
    removeFile(path);
    return openSync(path, "wx");
  }
}

function keepRights(fd: number, like: string): void {
  const old = statOf(like);
  if (old === undefined) return;
  const now = fstatSync(fd);
  const isOthers = now.uid !== old.uid || now.gid !== old.gid;
  // Root in a container must not take the user's file away from them.
  if (isOthers && process.getuid?.() === 0) fchownSync(fd, old.uid, old.gid);
  if (((now.mode ^ old.mode) & 0o777) !== 0) fchmodSync(fd, old.mode & 0o777);
}

const APPEND =
  constants.O_RDWR |
  constants.O_APPEND |
  constants.O_CREAT |
  (constants.O_NONBLOCK ?? 0) |
  (constants.O_NOFOLLOW ?? 0);

/** Adds a line in one write, after ending one that a crash left incomplete. */
export function appendLine(path: string, line: string): void {
  const fd = openToAppend(path);
  try {
    const stat = fstatSync(fd);
    if (!stat.isFile()) throw new FileFault(path, "it is not a file");
    const bytes = Buffer.from(isTorn(fd, stat.size) ? `\n${line}` : line);
    const written = writeSync(fd, bytes);
    if (written === bytes.length) return;
    // Half a line is of no use, unless somebody has already written after it.
    if (fstatSync(fd).size === stat.size + written) ftruncateSync(fd, stat.size);
    throw Object.assign(new FileFault(path, "the disk is full"), { code: "ENOSPC" });
  } catch (error) {
    throw withPath(path, error);
  } finally {
    closeSync(fd);
  }
}

function openToAppend(path: string): number {
  try {
    return openSync(path, APPEND, 0o644);
  } catch (error) {
    // The system calls it a loop, but no link is followed here.
    if (codeOf(error) === "ELOOP") throw new FileFault(path, "it is a symbolic link");
    throw error;
  }
}

function isTorn(fd: number, size: number): boolean {
  const last = new Uint8Array(1);
  return size > 0 && readSync(fd, last, 0, 1, size - 1) === 1 && last[0] !== NEWLINE;
}

const NEWLINE = 10;

export function removeFile(path: string): void {
  try {
    retryIfBusy(() => unlinkSync(path));
  } catch (error) {
    if (codeOf(error) !== "ENOENT") throw error;
  }
}

const PAUSES_MS = [10, 20, 40, 80, 160];

/**
 * Windows refuses to replace, remove or create a file that a virus scanner, an editor or another hook has open, usually
 * for a moment. Elsewhere these errors are about permissions, and permanent.
 */
export function retryIfBusy<T>(work: () => T, isWindows = process.platform === "win32"): T {
  for (let i = 0; ; i++) {
    try {
      return work();
    } catch (error) {
      const pause = PAUSES_MS[i];
      const isBusy = ["EPERM", "EACCES", "EBUSY"].includes(codeOf(error));
      if (!isWindows || !isBusy || pause === undefined) throw error;
      sleep(pause);
    }
  }
}
