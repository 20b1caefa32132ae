import {
  constants,
  copyFileSync,
  linkSync,
  lstatSync,
  mkdirSync,
  opendirSync,
  readlinkSync,
  renameSync,
  rmSync,
  symlinkSync,
  utimesSync,
} from "node:fs";
import { basename, dirname, isAbsolute, join, relative, resolve } from "node:path";
import { INSTALLED, type SharedFolder } from "../run/installed.ts";
import { isSameOrBelow } from "../store/containment.ts";
import { processName } from "../store/process-id.ts";
import { readProjectFile } from "../store/project-file.ts";
import { codeOf, faultIn, faultOf, MAX_BYTES } from "../store/read.ts";
import { repairEnvironment } from "./python-environment.ts";
import { namesOf, runGitAsync } from "./run.ts";

export interface ShareBounds {
  readonly entries: number;
  readonly ms: number;
}

const BOUNDS: ShareBounds = { entries: 400_000, ms: 120_000 };
/** After so many entries, yields to other work. */
const AT_ONCE = 400;
const MAX_FOLDERS = 60;

interface ShareOptions {
  readonly signal?: AbortSignal;
  readonly bounds?: ShareBounds;
  /** More folders that the user wants shared, by name or by path. */
  readonly more?: readonly string[];
  /** Use hard links if the file system cannot share blocks. Never for the user's files, which would change too. */
  readonly mayLink?: boolean;
}

/**
 * Makes ignored folders of one work tree available in another: as copies, which share blocks if the file system can, or
 * as hard links to the files. The folder itself is never a link: adding, removing or replacing a file in one tree does
 * not change the other. `spare` is a folder on the disk of `to`.
 */
export async function shareFolders(
  from: string,
  to: string,
  spare: string,
  { signal, bounds = BOUNDS, more = [], mayLink = false }: ShareOptions = {},
): Promise<SharedFolder[]> {
  const wanted = new Set([...INSTALLED.keys(), ...more]);
  const names = await listIgnored(from, wanted, signal);
  const budget = { entries: bounds.entries, until: Date.now() + bounds.ms };
  const shared: SharedFolder[] = [];
  for (const name of names) {
    const target = join(to, name);
    if (lstatSync(target, { throwIfNoEntry: false }) !== undefined) continue;
    if (lstatSync(dirname(target), { throwIfNoEntry: false })?.isDirectory() !== true) continue;
    const one = await shareOne({ from, to, spare, name, budget, signal, mayLink });
    shared.push({ ...one, ...compareLocks(from, to, name) });
  }
  return shared;
}

async function listIgnored(
  top: string,
  wanted: ReadonlySet<string>,
  signal: AbortSignal | undefined,
): Promise<string[]> {
  const options = ["--others", "--ignored", "--exclude-standard", "--directory", "-z"];
  const { out } = await runGitAsync(top, ["ls-files", ...options], {
    timeoutMs: 60_000,
    ...(signal === undefined ? {} : { signal }),
  });
  return namesOf(out)
    .filter((name) => name.endsWith("/"))
    .map((name) => name.slice(0, -1))
    .filter((name) => wanted.has(basename(name)) || wanted.has(name))
    .filter((name) => lstatSync(join(top, name), { throwIfNoEntry: false })?.isDirectory() === true)
    .slice(0, MAX_FOLDERS);
}

/** The nearest file that says what belongs in the folder, and whether it says the same in both trees. */
function compareLocks(
  from: string,
  to: string,
  name: string,
): Pick<SharedFolder, "lock" | "isSame"> {
  const read = (top: string, path: string): string | undefined => {
    const file = readProjectFile({ root: top, outside: [] }, join(top, path), MAX_BYTES.tasks);
    return file.kind === "ok" ? file.text : undefined;
  };
  const locks = INSTALLED.get(basename(name)) ?? [];
  for (let folder = dirname(name); ; folder = dirname(folder)) {
    for (const lock of locks.map((one) => join(folder, one))) {
      const [ours, theirs] = [read(from, lock), read(to, lock)];
      if (ours !== undefined || theirs !== undefined) return { lock, isSame: ours === theirs };
    }
    if (folder === ".") return {};
  }
}

interface Sharing {
  readonly from: string;
  readonly to: string;
  readonly spare: string;
  readonly name: string;
  readonly budget: { entries: number; readonly until: number };
  readonly signal: AbortSignal | undefined;
  readonly mayLink: boolean;
}

/** Shares a folder completely or not at all: builds it elsewhere, and moves it in when it is complete. */
async function shareOne(sharing: Sharing): Promise<SharedFolder> {
  const { from, to, spare, name, signal } = sharing;
  const making = join(spare, `sharing.${processName()}.${basename(to)}`);
  const drop = (): void => void rmSync(making, { recursive: true, force: true });
  const fail = (why: string): SharedFolder => {
    faultIn(drop);
    return { name, how: "nothing", why };
  };
  try {
    drop();
    const method: Method = { how: sharing.mayLink ? "blocks or links" : "blocks or copies" };
    const why = await copyFolder(sharing, making, method);
    signal?.throwIfAborted();
    if (why !== undefined) return fail(why);
    repairEnvironment(making, join(from, name), join(to, name), { from, to });
    renameSync(making, join(to, name));
    return { name, how: method.how === "links" ? "links" : "copies" };
  } catch (error) {
    const fault = faultOf(error);
    faultIn(drop);
    if (fault === undefined) throw error;
    return fail(fault);
  }
}

/** Returns why the folder cannot be copied, if so. */
async function copyFolder(
  { from, to, name, budget, signal }: Sharing,
  making: string,
  method: Method,
): Promise<string | undefined> {
  const queue = [""];
  let count = 0;
  for (let below = queue.pop(); below !== undefined; below = queue.pop()) {
    const source = join(from, name, below);
    mkdirSync(join(making, below), { mode: lstatSync(source).mode & 0o777 });
    const folder = opendirSync(source);
    try {
      for (let entry = folder.readSync(); entry !== null; entry = folder.readSync()) {
        const path = join(below, entry.name);
        if (--budget.entries < 0) return "it has too many files";
        if (++count % AT_ONCE === 0) {
          await new Promise((go) => setImmediate(go));
          if (Date.now() > budget.until) return "it takes too long";
          if (signal?.aborted === true) return "it was stopped";
        }
        if (entry.isDirectory()) queue.push(path);
        else if (entry.isSymbolicLink())
          copyLink({ from, to }, join(source, entry.name), join(making, path));
        else if (entry.isFile() && !copyFile(join(source, entry.name), join(making, path), method))
          return "it is on another disk";
      }
    } finally {
      folder.closeSync();
    }
  }
  return undefined;
}

/** How files are shared. The first file shows whether the file system can share blocks. */
interface Method {
  how: "blocks or links" | "blocks or copies" | "blocks" | "links" | "copies";
}

/** False if nothing works. */
function copyFile(source: string, target: string, method: Method): boolean {
  if (method.how.startsWith("blocks")) {
    try {
      copyFileSync(source, target, constants.COPYFILE_FICLONE_FORCE);
      method.how = "blocks";
      return true;
    } catch (error) {
      if (method.how === "blocks") throw error;
    }
    rmSync(target, { force: true });
    method.how = method.how === "blocks or links" ? "links" : "copies";
  }
  if (method.how === "copies") {
    copyFileSync(source, target);
    // Build tools compare modification times.
    const { atime, mtime } = lstatSync(source);
    utimesSync(target, atime, mtime);
    return true;
  }
  try {
    linkSync(source, target);
    return true;
  } catch (error) {
    if (codeOf(error) !== "EXDEV") throw error;
    return false;
  }
}

/** Copies a link, to the same file if that is outside the source tree, and to the target tree's own if it is inside. */
function copyLink(
  { from, to }: { from: string; to: string },
  source: string,
  target: string,
): void {
  const destination = readlinkSync(source);
  const file = resolve(dirname(source), destination);
  const isInside = isSameOrBelow(file, from);
  const inside = isAbsolute(destination) ? join(to, relative(from, file)) : destination;
  symlinkSync(isInside ? inside : file, target);
}
