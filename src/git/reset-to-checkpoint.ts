import {
  existsSync,
  mkdirSync,
  readFileSync,
  readlinkSync,
  realpathSync,
  rmSync,
  symlinkSync,
} from "node:fs";
import { dirname, join } from "node:path";
import type { Checkpoint } from "../run/undo.ts";
import { isContained } from "../store/containment.ts";
import { lstatOf } from "../store/read.ts";
import type { Spec } from "../store/spec.ts";
import { writeWhole } from "../store/write.ts";
import { isAncestor } from "./own-tree.ts";
import type { Repository } from "./repository.ts";
import { MAY_FETCH, namesOf, runGit } from "./run.ts";
import { withScratchIndex } from "./scratch-index.ts";

/** What has changed between a checkpoint and now. */
export interface ChangesSince {
  readonly commits: readonly { readonly commit: string; readonly subject: string }[];
  /** How many of the commits are on some remote. */
  readonly pushed: number;
  /** Files that differ, and those among them that are new. */
  readonly changed: readonly string[];
  readonly added: readonly string[];
}

export function readChangesSince(
  { git, isOwn }: Repository,
  { base, commit }: Checkpoint,
): ChangesSince {
  const { top } = git;
  const log = runGit(top, ["log", "-z", "--format=%H %s", `${base}..HEAD`]);
  const commits = namesOf(log.out).map((line) => {
    const [oid = "", ...words] = line.split(" ");
    return { commit: oid, subject: words.join(" ") };
  });
  const unpushed = runGit(top, ["rev-list", "--count", `${base}..HEAD`, "--not", "--remotes"]);
  const names = (...options: string[]): string[] =>
    namesOf(
      runGit(top, ["diff", "--name-only", "-z", "--no-renames", ...options, commit, "--"]).out,
    ).filter((name) => !isOwn(name));
  return {
    commits,
    pushed: unpushed.ok ? commits.length - Number(unpushed.out) : 0,
    changed: names(),
    added: names("--diff-filter=A"),
  };
}

export const isInHistory = ({ git }: Repository, { base }: Checkpoint): boolean =>
  isAncestor(git.top, base, "HEAD");

/**
 * Untracked or ignored files where the checkpoint has a file. A hard reset overwrites them, and no ref keeps their
 * content.
 */
export function readFilesInTheWay(
  { git, isOwn }: Repository,
  { base, commit }: Checkpoint,
): string[] {
  const { top } = git;
  const trees = new Set([base, commit]);
  const missing = [...trees].flatMap((tree) => {
    const options = ["--cached", "--name-only", "-z", "--no-renames", "--diff-filter=D"];
    return namesOf(runGit(top, ["diff-index", ...options, tree, "--"]).out);
  });
  const untracked = (name: string): string[] =>
    namesOf(runGit(top, ["ls-files", "--others", "-z", "--", name]).out);
  const found = [...new Set(missing)]
    .filter((name) => !isOwn(name))
    .map((name) => lowestThing(top, name))
    .filter((name) => name !== undefined);
  return [...new Set([...new Set(found)].flatMap(untracked))].sort();
}

/** The path itself if it exists, or a file where one of its folders should be. */
function lowestThing(top: string, name: string): string | undefined {
  const parts = name.split("/");
  for (let count = 1; count <= parts.length; count++) {
    const path = parts.slice(0, count).join("/");
    const stat = lstatOf(join(top, path));
    if (stat === undefined) return undefined;
    if (!stat.isDirectory() || count === parts.length) return path;
  }
  return undefined;
}

/** Resets HEAD, index and tracked files to the checkpoint, but not the spec's own files. Returns git's error. */
export function runReset(repository: Repository, checkpoint: Checkpoint): string | undefined {
  const { git } = repository;
  const { base, commit } = checkpoint;
  const target = writeTarget(repository, checkpoint);
  if (target === undefined) return "the state to go back to cannot be written";
  const steps = [
    ["reset", "--quiet", "--hard", target],
    // What was uncommitted comes back as it was, staged or not.
    ...(commit === base
      ? [["reset", "--quiet", "--mixed", base]]
      : [
          ["reset", "--quiet", "--soft", base],
          ["read-tree", "--reset", `${commit}^2`],
        ]),
  ];
  for (const step of steps) {
    // If git were killed in the middle, it would leave a mix of both states, and a lock.
    const { ok, err } = runGit(git.top, step, { timeoutMs: 600_000, env: MAY_FETCH });
    if (!ok) return err.trim() || `git ${step[0]} failed`;
  }
  return undefined;
}

/**
 * A commit on top of the checkpoint's with all its files, and the spec's own files as they are on disk: a reset to it
 * loses no task, whatever happens right after it.
 */
function writeTarget(repository: Repository, checkpoint: Checkpoint): string | undefined {
  const { base, commit } = checkpoint;
  const names = ownNames(repository, checkpoint);
  return withScratchIndex(repository.git, 600_000, (index) => {
    if (index.run(["read-tree", commit]) === undefined) return undefined;
    const add = ["-c", "core.safecrlf=false", "update-index", "-z", "--add", "--remove", "--stdin"];
    if (names.length > 0 && index.run(add, `${names.join("\0")}\0`) === undefined) return undefined;
    const tree = index.run(["write-tree"]);
    if (tree === undefined || tree === index.run(["rev-parse", `${base}^{tree}`]))
      return tree && base;
    return index.commit(tree, "on the way back", [base]);
  });
}

type KeptFile = { readonly path: string } & (
  | { readonly link: string }
  | { readonly bytes: Buffer }
);

/** Remembers the spec's own files that a reset would change. Returns a function that restores them. */
export function keepOwnFiles(
  repository: Repository,
  spec: Spec,
  checkpoint: Checkpoint,
): () => void {
  const { top } = repository.git;
  const paths = [
    ...ownNames(repository, checkpoint).map((name) => join(top, name)),
    // One of these may be a link to a file elsewhere in the repository.
    ...[spec.tasks, spec.progress, spec.state, spec.journal]
      .filter((path) => existsSync(path) && isContained(spec.project, path))
      .map((path) => realpathSync(path)),
  ];
  return keepFiles(paths);
}

/** Remembers files as they are. Returns a function that restores them. */
export function keepFiles(paths: readonly string[]): () => void {
  const kept = [...new Set(paths)].map(readKept).filter((one) => one !== undefined);
  return () => {
    for (const one of kept) writeKept(one);
  };
}

/** Files of the spec that git tracks, now or at the checkpoint. */
function ownNames({ git, own }: Repository, { base, commit }: Checkpoint): string[] {
  const lists = [
    ["ls-files", "-z", "--", ...own],
    ["ls-tree", "-r", "--name-only", "-z", base, "--", ...own],
    ["ls-tree", "-r", "--name-only", "-z", commit, "--", ...own],
  ];
  if (own.length === 0) return [];
  return [...new Set(lists.flatMap((args) => namesOf(runGit(git.top, args).out)))];
}

function readKept(path: string): KeptFile | undefined {
  const stat = lstatOf(path);
  if (stat?.isSymbolicLink() === true) return { path, link: readlinkSync(path) };
  return stat?.isFile() === true ? { path, bytes: readFileSync(path) } : undefined;
}

function writeKept(kept: KeptFile): void {
  const { path } = kept;
  const now = readKept(path);
  mkdirSync(dirname(path), { recursive: true });
  if ("link" in kept) {
    if (now !== undefined && "link" in now && now.link === kept.link) return;
    rmSync(path, { force: true });
    symlinkSync(kept.link, path);
  } else if (now === undefined || !("bytes" in now) || !now.bytes.equals(kept.bytes)) {
    // One character per byte: any content survives.
    writeWhole(path, kept.bytes.toString("latin1"), "latin1");
  }
}
