import { isUtf8 } from "node:buffer";
import {
  closeSync,
  constants,
  type Dirent,
  lstatSync,
  openSync,
  readdirSync,
  readFileSync,
  readSync,
  type Stats,
  statSync,
} from "node:fs";
import { orElse } from "../text/or-else.ts";

/** A larger file is not what it claims to be, and is not read. */
export const MAX_BYTES = {
  pointer: 4 << 10,
  settings: 256 << 10,
  state: 1 << 20,
  tasks: 64 << 20,
  document: 16 << 20,
  journal: 32 << 20,
  tail: 64 << 10,
} as const;

/** Bytes that are not UTF-8 are read one by one, so that they can be written back unchanged. */
export type Encoding = "utf8" | "latin1";

export type FileText =
  | { readonly kind: "absent" }
  | { readonly kind: "unreadable"; readonly why: string }
  | { readonly kind: "ok"; readonly text: string; readonly encoding: Encoding };

// Opening a FIFO without this flag would block the hook forever. Windows has neither FIFOs here nor the flag.
const READ = constants.O_RDONLY | (constants.O_NONBLOCK ?? 0);

/**
 * Why a file must not be opened, if so. Called for what is at the path, and if that is a link, also for what the link
 * leads to.
 */
export type FileCheck = (stat: Stats) => string | undefined;

export function readText(path: string, maxBytes: number, check?: FileCheck): FileText {
  return readIfFile(path, check, (size) => {
    if (size > maxBytes) {
      return { kind: "unreadable", why: `it is larger than ${megabytes(maxBytes)}` };
    }
    // Node's fast path, which puts this character where the bytes are not UTF-8.
    const text = readFileSync(path, "utf8");
    return text.includes("\uFFFD")
      ? decode(readFileSync(path))
      : { kind: "ok", text, encoding: "utf8" };
  });
}

/** The text of a file; undefined if it cannot be read. */
export function textAt(path: string, maxBytes: number): string | undefined {
  const file = readText(path, maxBytes);
  return file.kind === "ok" ? file.text : undefined;
}

function decode(bytes: Buffer): FileText {
  const encoding = isUtf8(bytes) ? "utf8" : "latin1";
  return { kind: "ok", text: bytes.toString(encoding), encoding };
}

/** The end of a file, so that the cost does not grow with its size. The first line may be incomplete. */
export function readTail(path: string, bytes: number, check?: FileCheck): FileText {
  return readIfFile(path, check, (size) =>
    size > bytes
      ? readPart(path, size - bytes, bytes)
      : { kind: "ok", text: readFileSync(path, "utf8"), encoding: "utf8" },
  );
}

/** The last line may be incomplete. */
export function readBeginning(path: string, bytes: number, check?: FileCheck): FileText {
  return readIfFile(path, check, (size) => readPart(path, 0, Math.min(size, bytes)));
}

function readPart(path: string, start: number, length: number): FileText {
  const fd = openSync(path, READ);
  try {
    const buffer = Buffer.allocUnsafe(length);
    let size = 0;
    for (let count = -1; size < length && count !== 0; size += count)
      count = readSync(fd, buffer, size, length - size, start + size);
    return { kind: "ok", text: buffer.toString("utf8", 0, size), encoding: "utf8" };
  } finally {
    closeSync(fd);
  }
}

/** As `stat`, with one call for what is not a link and no exception for what is missing. */
function statThroughLink(path: string): Stats | undefined {
  const stat = lstatSync(path, { throwIfNoEntry: false });
  return stat?.isSymbolicLink() === true ? statSync(path, { throwIfNoEntry: false }) : stat;
}

/** The same; a loop of links or a locked folder counts as nothing there. */
export const statOf = (path: string): Stats | undefined =>
  orElse(() => statThroughLink(path), undefined);

/** What is at the path itself; nothing in a locked folder, or if a folder on the path is a file. */
export const lstatOf = (path: string): Stats | undefined =>
  orElse(() => lstatSync(path, { throwIfNoEntry: false }), undefined);

/** What is in a folder; nothing if it cannot be read. */
export const entriesIn = (folder: string): Dirent[] =>
  orElse(() => readdirSync(folder, { withFileTypes: true }), []);
export const fileNamesIn = (folder: string): string[] => orElse(() => readdirSync(folder), []);

/** Whether the path itself is a symbolic link. In a locked folder it does not count as one: opening it says why. */
export const isLink = (path: string): boolean => lstatOf(path)?.isSymbolicLink() === true;

/** Looks before opening: that costs less than the exception for a missing file. */
function readIfFile(
  path: string,
  check: FileCheck | undefined,
  read: (size: number) => FileText,
): FileText {
  try {
    let stat = lstatSync(path, { throwIfNoEntry: false });
    let against = stat && check?.(stat);
    if (against === undefined && stat?.isSymbolicLink() === true) {
      stat = statSync(path, { throwIfNoEntry: false });
      against = stat && check?.(stat);
    }
    if (against !== undefined) return { kind: "unreadable", why: against };
    if (stat === undefined) return { kind: "absent" };
    return stat.isFile() ? read(stat.size) : { kind: "unreadable", why: "it is not a file" };
  } catch (error) {
    return isMissing(error) ? { kind: "absent" } : { kind: "unreadable", why: reasonOf(error) };
  }
}

export const codeOf = (error: unknown): string => (error as NodeJS.ErrnoException)?.code ?? "";

export const isMissing = (error: unknown): boolean => ["ENOENT", "ENOTDIR"].includes(codeOf(error));

/** Also by a quota. */
export const isDiskFull = (error: unknown): boolean => ["ENOSPC", "EDQUOT"].includes(codeOf(error));

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

/** A file that cannot be used; what the store throws on purpose. */
export class FileFault extends Error {
  override readonly name = "FileFault";

  /** Each of our bundles has a copy of this class. */
  static override [Symbol.hasInstance](value: unknown): boolean {
    return value instanceof Error && value.name === "FileFault";
  }

  constructor(path: string, why: string) {
    super(`${path} cannot be used: ${why}`);
  }
}

/** An error of the file system as a sentence; undefined for any other error. */
export function faultOf(error: unknown): string | undefined {
  if (error instanceof FileFault) return error.message;
  const { syscall, path, dest } = error as NodeJS.ErrnoException & { dest?: string };
  return syscall === undefined
    ? undefined
    : new FileFault(dest ?? path ?? syscall, reasonOf(error)).message;
}

/** The error of a call on an open file does not name the file. */
export function withPath(path: string, error: unknown): unknown {
  const { syscall, path: said } = error as NodeJS.ErrnoException;
  return syscall === undefined || said !== undefined
    ? error
    : Object.assign(error as Error, { path });
}

/** For work that may fail without spoiling the rest. Returns the fault as a sentence. */
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

/** A stop reads twice, before it takes the lock and while holding it. Usually the text has not changed. */
export function remember<T>(parse: (text: string) => T): (text: string) => T {
  let last: { readonly text: string; readonly meaning: T } | undefined;
  return (text) => {
    if (last?.text !== text) last = { text, meaning: parse(text) };
    return last.meaning;
  };
}

/** Waits without an event loop: a hook is one short synchronous program. */
export function sleep(milliseconds: number): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, milliseconds);
}
