import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { orElse } from "../text/or-else.ts";
import type { CodeIndex, IndexedFile } from "./code-index.ts";
import type { SourceFile } from "./source-files.ts";
import { HEAD_CHARACTERS, SCANNER, summarize } from "./summary.ts";

/** No person writes a larger source file. */
const MAX_BYTES = 8 << 20;
/** A file written while the last index was made may have changed since without looking different. */
const RACY_MS = 2000;

export type Effort =
  /** Everything is read and scanned. */
  | "force"
  /** Everything is read; unchanged content is not scanned again. */
  | "normal"
  /** Files with the same size and time are not even read. */
  | "changed"
  /** Nothing is read. */
  | "quick";

/** What the index says about each file; unreadable and binary ones are left out. */
export function readEntries(
  root: string,
  files: readonly SourceFile[],
  old: CodeIndex | undefined,
  effort: Effort,
  tick: (done: number) => void = () => {},
): IndexedFile[] {
  const usable = old?.scanner === SCANNER && effort !== "force" ? old : undefined;
  const before = new Map(usable?.files.map((file) => [file.path, file]));
  const since = Date.parse(usable?.updated ?? "") - RACY_MS;
  return files.flatMap((file, i) => {
    tick(i);
    const was = before.get(file.path);
    if (effort === "quick") return [quickEntry(file, was)];
    const isUntouched = was?.size === file.size && was.mtime === file.mtime && file.mtime < since;
    if (effort === "changed" && isUntouched && was.hash !== "")
      return [{ ...was, category: file.category }];
    const entry = readEntry(root, file, was);
    return entry === undefined ? [] : [entry];
  });
}

/** What was known about a file is better than nothing; without a hash, the next real scan renews it. */
function quickEntry(file: SourceFile, was: IndexedFile | undefined): IndexedFile {
  if (was?.size === file.size) return { ...was, category: file.category };
  return { ...file, hash: "", summary: was?.summary ?? "" };
}

function readEntry(
  root: string,
  file: SourceFile,
  was: IndexedFile | undefined,
): IndexedFile | undefined {
  const bytes = readBytes(join(root, file.path), file.size);
  if (bytes === undefined) return undefined;
  const hash = createHash("sha256").update(bytes).digest("hex").slice(0, 8);
  // As before, including the time: if the index is committed, a checkout must not change every line of it.
  if (was?.hash === hash && was.size === file.size) return { ...was, category: file.category };
  const text = decode(bytes);
  return text === undefined ? undefined : { ...file, hash, summary: summarize(text) };
}

const readBytes = (path: string, size: number): Buffer | undefined =>
  size > MAX_BYTES ? undefined : orElse(() => readFileSync(path), undefined);

/** The start of the file. Undefined if it is not text. */
function decode(bytes: Buffer): string | undefined {
  // A character takes at most four bytes.
  const head = bytes.subarray(0, 4 * HEAD_CHARACTERS);
  if (head[0] === 0xff && head[1] === 0xfe) return head.toString("utf16le");
  return head.subarray(0, 8192).includes(0) ? undefined : head.toString("utf8");
}
