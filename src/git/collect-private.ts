import { closeSync, openSync, renameSync, rmSync } from "node:fs";
import { join } from "node:path";
import { findGit, type GitDirs, readBranch } from "../store/git-files.ts";
import { faultIn, lstatOf, statOf, textAt } from "../store/read.ts";
import { REFS } from "./checkpoint.ts";
import { commitPaths } from "./commit-paths.ts";
import { headOf, isAncestor, LONG } from "./own-tree.ts";
import {
  ALTERNATES,
  alternatesOf,
  formatAlternates,
  type PrivatePlace,
  privatePlaceOf,
} from "./private-folder.ts";
import { reasonIn, runGit, whyNot } from "./run.ts";
import { listDifferences } from "./working-tree.ts";

/** `why`: the commits cannot be read. `note`: what the user should know. */
interface Collected {
  readonly why?: string;
  readonly note?: string;
}

/**
 * Brings the commits that an agent made in a sandbox to the work tree's branch, and removes its git folder. If the run
 * was killed, the next run or `take` does it. Returns what the user should know.
 *
 * The agent could write all of that folder. So our git never uses it as a repository and never writes to it: it only
 * reads objects, and checks them while they are copied.
 */
export function collectPrivateGit(
  top: string,
  { isLive }: { readonly isLive: boolean },
): string | undefined {
  const place = privatePlaceOf(top);
  const git = findGit(top);
  if (place === undefined || git?.top !== top || statOf(place.all) === undefined) return undefined;
  const { why, note } = collect(git, place, isLive);
  if (why === undefined) {
    discard(place.all);
    return note;
  }
  const kept = `${place.all}-unread`;
  discard(kept);
  renameSync(place.all, kept);
  return `The commits that an agent made in the sandbox cannot be read: ${why}. They are kept in ${kept}; its files are in the work tree.`;
}

/** Removes a folder, or at least frees its name: what an agent has locked cannot be removed. */
function discard(folder: string): void {
  if (statOf(folder) === undefined) return;
  const gone = `${folder}-${process.pid}-${Date.now()}`;
  renameSync(folder, gone);
  faultIn(() => rmSync(gone, { recursive: true, force: true, maxRetries: 3 }));
}

function collect(git: GitDirs, place: PrivatePlace, isLive: boolean): Collected {
  const { top } = git;
  const { folder } = place;
  const base = lineIn(place.base);
  if (base === undefined) return {};
  const { ref, commit } = readHeadIn(folder);
  const isMerging = (own: string): boolean => statOf(join(own, "MERGE_HEAD")) !== undefined;
  const resetIndex = (): unknown => runGit(top, ["reset", "--quiet", "--mixed"], LONG);
  if (commit === undefined || commit === base) {
    // The agent has aborted the merge.
    if (isMerging(git.own) && !isMerging(folder)) resetIndex();
    return {};
  }
  const unread = copyObjects(top, place, commit);
  if (unread !== undefined) return { why: unread };
  if ((headOf(top) ?? "") !== base) return keepApart(top, base, commit, isLive);
  const isOn = ref === `refs/heads/${readBranch(git) ?? ""}`;
  // On another branch, and not on top of what was there: the caller sees that the branch was left.
  const how = isOn || base === "" || isAncestor(top, base, commit) ? [] : ["--no-deref"];
  const why = whyNot(top, ["update-ref", ...how, "-m", MESSAGE, "HEAD", commit, base]);
  if (why !== undefined) return { why };
  // In the user's own tree, something else may be staged.
  const isKept = base !== "" && !isMerging(git.own);
  if (!isKept || !runGit(top, ["read-tree", "-m", base, commit], LONG).ok) resetIndex();
  return {};
}

const MESSAGE = "smart-ralph: committed in the sandbox";

/** Somebody else has committed meanwhile, so the agent's commits do not fit. Its files are in the work tree. */
function keepApart(top: string, base: string, commit: string, isLive: boolean): Collected {
  const ref = `${REFS}/aside/sandbox%/${commit}`;
  const why = whyNot(top, ["update-ref", ref, commit]);
  if (why !== undefined) return { why };
  let fault: string | undefined;
  if (isLive && base !== "") {
    const { out } = runGit(top, ["show", "--no-patch", "--format=%s", commit]);
    fault = commitPaths(top, listDifferences(top, base, commit) ?? [], out.trim());
  }
  const note = `While an agent worked in the sandbox, the branch moved: its own commits are kept at ${ref}.`;
  return { note: fault === undefined ? note : `${note} Its files are not committed: ${fault}` };
}

/** Only through a pack, so that git computes every name again and checks every object. */
function copyObjects(
  top: string,
  { all, folder }: PrivatePlace,
  commit: string,
): string | undefined {
  const objects = join(folder, "objects");
  const isPlain = [objects, join(objects, "info")].every((path) => lstatOf(path)?.isDirectory());
  // Other folders would let the agent see what it could not read itself.
  if (!isPlain || textOf(join(folder, ALTERNATES)) !== formatAlternates(alternatesOf(top)))
    return "its list of other folders with objects was changed";
  const env = { ...LONG.env, GIT_ALTERNATE_OBJECT_DIRECTORIES: JSON.stringify(objects) };
  const list = ["rev-list", "--objects", "--no-object-names", commit, "--not", "--all"];
  const { ok, out, err } = runGit(top, [...UNAIDED, ...list], { ...LONG, env });
  if (!ok || out === "") return ok ? undefined : reasonIn(err);
  const pack = ["pack-objects", "--quiet", join(all, "pack")];
  const packed = runGit(top, [...UNAIDED, ...pack], { ...LONG, env, input: out });
  if (!packed.ok) return reasonIn(packed.err);
  const file = openSync(join(all, `pack-${packed.out.trim()}.pack`), "r");
  try {
    return whyNot(top, ["unpack-objects", "-q", "--strict"], { ...LONG, stdin: file });
  } finally {
    closeSync(file);
  }
}

/** Without files that say what is in the objects: an agent may have written them. */
const UNAIDED = "-c core.commitGraph=false -c core.multiPackIndex=false".split(" ");

const HASH = /^[0-9a-f]{40}(?:[0-9a-f]{24})?$/;

/** Read without git, which would obey the settings there. */
function readHeadIn(folder: string): { ref?: string | undefined; commit?: string | undefined } {
  const head = lineIn(join(folder, "HEAD")) ?? "";
  const ref = /^ref: (refs\/.+)$/.exec(head)?.[1];
  if (ref === undefined) return { commit: HASH.exec(head)?.[0] };
  const packed = (textOf(join(folder, "packed-refs")) ?? "").split("\n");
  const line = packed.find((one) => one.endsWith(` ${ref}`))?.split(" ")[0];
  return { ref, commit: HASH.exec(lineIn(join(folder, ref)) ?? line ?? "")?.[0] };
}

const textOf = (path: string): string | undefined => textAt(path, 64 << 20);

const lineIn = (path: string): string | undefined => textOf(path)?.split("\n", 1)[0]?.trim();
