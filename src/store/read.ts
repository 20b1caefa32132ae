import { isUtf8 } from "node:buffer";
import {
  closeSync,
  constants,
  lstatSync,
  openSync,
  readFileSync,
  readSync,
  type Stats,
  statSync,
} from "node:fs";

/** Sizes past which a file is not what it claims to be; reading stops there, whatever is on disk. */
export const MAX_BYTES = {
  pointer: 4 << 10,
  settings: 256 << 10,
  state: 1 << 20,
  tasks: 64 << 20,
  document: 16 << 20,
  journal: 32 << 20,
  tail: 64 << 10,
} as const;

/** Bytes that are not UTF-8 are taken one by one, so that what is written back is what was there. */
export type Encoding = "utf8" | "latin1";

export type FileText =
  | { readonly kind: "absent" }
  | { readonly kind: "unreadable"; readonly why: string }
  | { readonly kind: "ok"; readonly text: string; readonly encoding: Encoding };

// A FIFO opened without this flag would block the hook for ever. Windows has neither FIFOs here nor the flag.
const READ = constants.O_RDONLY | (constants.O_NONBLOCK ?? 0);

/**
 * What speaks against opening a file, in words. It is asked about what is at the path, and if that is a link, about what
 * the link leads to as well.
 */
export type Vet = (stat: Stats) => string | undefined;

export function readText(path: string, maxBytes: number, vet?: Vet): FileText {
  return ifFile(path, vet, (size) => {
    if (size > maxBytes) {
      return { kind: "unreadable", why: `it is larger than ${megabytes(maxBytes)}` };
    }
    // Node's own quick way; it puts this character where the bytes are not UTF-8.
    const text = readFileSync(path, "utf8");
    return text.includes("\uFFFD")
      ? decode(readFileSync(path))
      : { kind: "ok", text, encoding: "utf8" };
  });
}

function decode(bytes: Buffer): FileText {
  const encoding = isUtf8(bytes) ? "utf8" : "latin1";
  return { kind: "ok", text: bytes.toString(encoding), encoding };
}

/** The end of a file, so that the cost does not grow with its size. The first line may be cut. */
export function readTail(path: string, bytes: number, vet?: Vet): FileText {
  return ifFile(path, vet, (size) =>
    size > bytes
      ? readPart(path, size - bytes, bytes)
      : { kind: "ok", text: readFileSync(path, "utf8"), encoding: "utf8" },
  );
}

/** The beginning of a file. The last line may be cut. */
export function readHeadOf(path: string, bytes: number, vet?: Vet): FileText {
  return ifFile(path, vet, (size) => readPart(path, 0, Math.min(size, bytes)));
}

function readPart(path: string, start: number, length: number): FileText {
  const fd = openSync(path, READ);
  try {
    return { kind: "ok", text: readRange(fd, start, length).toString("utf8"), encoding: "utf8" };
  } finally {
    closeSync(fd);
  }
}

/** What is at a path, links followed. Links are rare: for all else the look that tells whether it is one is enough. */
function lookAt(path: string): Stats | undefined {
  const stat = lstatSync(path, { throwIfNoEntry: false });
  return stat?.isSymbolicLink() === true ? statSync(path, { throwIfNoEntry: false }) : stat;
}

/** The same; a loop of links or a locked folder is as good as nothing there. */
export function statOf(path: string): Stats | undefined {
  try {
    return lookAt(path);
  } catch {
    return undefined;
  }
}

/** Looked at before it is opened: that costs less than the error for a file that is not there. */
function ifFile(path: string, vet: Vet | undefined, read: (size: number) => FileText): FileText {
  try {
    let stat = lstatSync(path, { throwIfNoEntry: false });
    let against = stat && vet?.(stat);
    if (against === undefined && stat?.isSymbolicLink() === true) {
      stat = statSync(path, { throwIfNoEntry: false });
      against = stat && vet?.(stat);
    }
    if (against !== undefined) return { kind: "unreadable", why: against };
    if (stat === undefined) return { kind: "absent" };
    return stat.isFile() ? read(stat.size) : { kind: "unreadable", why: "it is not a file" };
  } catch (error) {
    return missing(error) ? { kind: "absent" } : { kind: "unreadable", why: reasonOf(error) };
  }
}

function readRange(fd: number, start: number, length: number): Buffer {
  const buffer = Buffer.allocUnsafe(length);
  let filled = 0;
  while (filled < length) {
    const count = readSync(fd, buffer, filled, length - filled, start + filled);
    if (count === 0) break;
    filled += count;
  }
  return buffer.subarray(0, filled);
}

export const codeOf = (error: unknown): string => (error as NodeJS.ErrnoException)?.code ?? "";

/** That it is not there, as opposed to anything else that may be wrong with it. */
export const missing = (error: unknown): boolean => ["ENOENT", "ENOTDIR"].includes(codeOf(error));

const REASONS: Readonly<Record<string, string>> = {
  EACCES: "permission is denied",
  EPERM: "permission is denied",
  EISDIR: "it is a folder",
  ELOOP: "it is a loop of symbolic links",
  ENAMETOOLONG: "its name is too long",
  ENOENT: "it is not there",
  ENOTDIR: "a folder on the way to it is a file",
  ENOSPC: "the disk is full",
  EROFS: "the file system is read-only",
  ENXIO: "it is not a file",
};

const reasonOf = (error: unknown): string =>
  REASONS[codeOf(error)] ??
  (codeOf(error) || (error instanceof Error ? error.message : String(error)));

/** A file that cannot be used: what the store throws on purpose. */
export class FileFault extends Error {
  override readonly name = "FileFault";

  constructor(path: string, why: string) {
    super(`${path} cannot be used, ${why}`);
  }
}

/** What the file system has against us, in one sentence; nothing for any other error. */
export function faultOf(error: unknown): string | undefined {
  if (error instanceof FileFault) return error.message;
  const { syscall, path, dest } = error as NodeJS.ErrnoException & { dest?: string };
  return syscall === undefined
    ? undefined
    : new FileFault(dest ?? path ?? syscall, reasonOf(error)).message;
}

/** The error of a call on an open file does not say which one it is. */
export function onFile(path: string, error: unknown): unknown {
  const { syscall, path: said } = error as NodeJS.ErrnoException;
  return syscall === undefined || said !== undefined
    ? error
    : Object.assign(error as Error, { path });
}

/** Does what may fail without spoiling the rest. Returns what the file system has against it. */
export function faultIn(work: () => void): string | undefined {
  try {
    work();
    return undefined;
  } catch (error) {
    const fault = faultOf(error);
    if (fault === undefined) throw error;
    return fault;
  }
}

const megabytes = (bytes: number): string => `${Math.max(1, bytes >> 20)} MB`;
