import { createHash } from "node:crypto";
import { mkdirSync, readdirSync, rmdirSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { findRepository, refPart } from "../git/repository.ts";
import { EPIC_FILES } from "../layouts/layout.ts";
import { isSameOrBelow } from "../store/containment.ts";
import { findGit, pinTop } from "../store/git-files.ts";
import { workerOn } from "../store/lease.ts";
import { isAlive, isOwnNamespace, ownNamespace } from "../store/process-id.ts";
import { faultIn, readText } from "../store/read.ts";
import { isFolder, type Spec } from "../store/spec.ts";
import { realPathAbove, realPathOf, vaultFolder } from "../store/vault-place.ts";
import { removeFile, writeWhole } from "../store/write.ts";
import {
  boolean,
  field,
  integer,
  isObject,
  type Kind,
  nullable,
  objectOf,
  objectWith,
  oneOf,
  recordOf,
  string,
} from "../text/schema.ts";

const fields = {
  /** The repository's folder. */
  repository: field(string, ""),
  /** The user's project, and the spec's folder in it. */
  root: field(string, ""),
  folder: field(string, ""),
  spec: field(string, ""),
  layout: field(string, ""),
  branch: field(string, ""),
  /** The user's commit and branch at which the run began. */
  base: field(string, ""),
  from: field(nullable(string), ""),
  began: field(string, ""),
  /** The key under which checkpoints of the tree are kept. */
  key: field(string, ""),
  /** `taken`: taken, and kept because the user wanted that or specs go on from it. */
  stage: field(oneOf("opening", "open", "taking", "taken"), ""),
  /** The process of the run that works in the tree, or 0; and when it was started, if the system says so. */
  pid: field(integer(0), ""),
  started: field(string, ""),
  /** The spec's files in the user's tree, by hash, when they were last brought here. */
  files: field(recordOf(string), ""),
  /** Whether the setup has completed there. */
  equipped: field(boolean, ""),
  /** The last commit at which everything held in a clean checkout. */
  proven: field(nullable(string), ""),
  /** The task that is being merged, and the tree's commit before that. */
  merging: field(nullable(objectOf({ task: field(string, ""), before: field(string, "") })), ""),
  /**
   * The specs of an epic, by their folders in the project: the hashes of their files in the user's tree, and when all of
   * their work was on the epic's branch.
   */
  members: field(
    recordOf(objectOf({ files: field(recordOf(string), ""), back: field(nullable(string), "") })),
    "",
  ),
};

/** This machine's record of a run's work tree. A branch without such a record is not ours. */
export type TrunkRecord = typeof kind extends Kind<infer T> ? T : never;

const kind = objectWith(fields, {
  /** The PID namespace that the process's number counts in. */
  namespace: field(string, ""),
  /** Links that were in git's folder when the run began. Versions before 4.8 did not note them. */
  links: field(recordOf(string), ""),
});

/** Where a run's own work tree is. */
export interface TrunkPlace {
  /** The folder of all work trees of this repository. */
  readonly all: string;
  readonly top: string;
  readonly branch: string;
  readonly record: string;
}

export const BRANCH_PREFIX = "smart-ralph/";

/** Undefined outside git, or if the user has no private folder. */
export function placeOf(spec: Spec): TrunkPlace | undefined {
  const repository = findRepository(spec);
  const all = treesOf(spec.project.root);
  if (repository === undefined || all === undefined) return undefined;
  const plain = refPart(spec.name).slice(0, 80);
  if (isEpicHome(spec)) return placeNamed(all, plain);
  // A spec of an epic, whose home is the epic's own tree.
  const { top } = repository.git;
  if (isSameOrBelow(top, all)) return placeNamed(all, `${basename(top)}.${plain}`);
  const name =
    repository.key === refPart(spec.name) ? plain : `${plain}-${digest(repository.key, 6)}`;
  return placeNamed(all, name);
}

/** Whether it is an epic's folder: like a spec, an epic has its own tree, which includes its specs' files. */
export const isEpicHome = ({ folder }: Pick<Spec, "folder">): boolean =>
  basename(dirname(folder)) === EPIC_FILES.folder;

function placeNamed(all: string, name: string): TrunkPlace {
  const top = join(all, name);
  pinTop(top);
  return { all, top, branch: BRANCH_PREFIX + name, record: join(all, `${name}.json`) };
}

/** The folder of all work trees that runs have of one repository. */
export function treesOf(root: string): string | undefined {
  const base = treesFolder();
  const git = findGit(root);
  return base === undefined || git === undefined
    ? undefined
    : join(base, digest(realPathOf(git.common), 10));
}

/** By its real path, as git names it. */
export function treesFolder(): string | undefined {
  const vault = vaultFolder();
  return vault === undefined ? undefined : join(realPathAbove(vault), "trees");
}

export const digest = (text: string | Buffer, length = 40): string =>
  createHash("sha256").update(text).digest("hex").slice(0, length);

export function readTrunkRecord({ record }: Pick<TrunkPlace, "record">): TrunkRecord | undefined {
  const file = readText(record, 4 << 20);
  if (file.kind !== "ok") return undefined;
  try {
    const value: unknown = JSON.parse(file.text);
    return isObject(value) && kind.is(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

export function writeTrunkRecord(place: TrunkPlace, record: TrunkRecord): TrunkRecord {
  mkdirSync(place.all, { recursive: true, mode: 0o700 });
  writeWhole(place.record, `${JSON.stringify(record)}\n`);
  return record;
}

/** The last one of a repository takes the folder of all with it. */
export function removeTrunkRecord({ all, record }: TrunkPlace): void {
  removeFile(record);
  faultIn(() => rmdirSync(all));
}

/** Marks this process as the one that works in a tree. */
export const holder = (): Pick<TrunkRecord, "pid" | "started" | "namespace"> => ({
  pid: process.pid,
  started: startOf(process.pid),
  namespace: ownNamespace(),
});

export function isHeld({ pid, started, namespace, folder }: TrunkRecord): boolean {
  if (pid === 0) return false;
  if (isOwnNamespace(namespace))
    return pid !== process.pid && isAlive(pid) && startOf(pid) === started;
  return workerOn(folder) !== undefined;
}

/** When a process was started: another one may have reused its pid. */
function startOf(pid: number): string {
  const file = readText(`/proc/${pid}/stat`, 1 << 16);
  // The name of the program, in brackets, may contain anything.
  const rest = file.kind === "ok" ? file.text.slice(file.text.lastIndexOf(")") + 2) : "";
  return rest.split(" ")[19] ?? "";
}

/** The work trees of all runs in a repository, oldest first. */
export function listTrunks(root: string): { place: TrunkPlace; record: TrunkRecord }[] {
  // Whoever only looks creates nothing.
  const all = isFolder(join(vaultFolder() ?? "", "trees")) ? treesOf(root) : undefined;
  return (all === undefined ? [] : namesIn(all))
    .filter((name) => name.endsWith(".json"))
    .flatMap((name) => {
      const place = placeNamed(all as string, name.slice(0, -".json".length));
      const record = readTrunkRecord(place);
      return record === undefined ? [] : [{ place, record }];
    })
    .sort((a, b) => (a.record.began < b.record.began ? -1 : 1));
}

export function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder).sort();
  } catch {
    return [];
  }
}
