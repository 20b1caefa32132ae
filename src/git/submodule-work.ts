import { join, relative } from "node:path";
import { type GitDirs, gitIn } from "../store/git-files.ts";
import { entriesIn, isLink, lstatOf, statOf, textAt } from "../store/read.ts";
import { realPathOf } from "../store/vault-place.ts";
import { namesOf, runGit } from "./run.ts";
import { withScratchIndex } from "./scratch-index.ts";
import { listLinks } from "./stage.ts";
import { slashed } from "./working-tree.ts";

/** What only a submodule of a work tree has: a file that is in no commit, or a ref with commits of its own. */
export interface SubmoduleWork {
  /** The submodule, relative to the top of the work tree. */
  readonly name: string;
  /** Relative to the submodule. */
  readonly file?: string;
  readonly tip?: Tip & { readonly repository: string };
}

interface Tip {
  readonly ref: string;
  readonly commit: string;
}

const LONG = { timeoutMs: 600_000 };

/**
 * The first work in a submodule that would be gone with a linked work tree: git keeps the tree's submodules in a folder
 * of the tree's own. What a remote has, as far as the submodule knows, is elsewhere, and so is what `isElsewhere`
 * says.
 *
 * Agents can write all of a submodule's settings. So our git never uses one as a repository: it only reads objects.
 */
export function findSubmoduleWork(
  git: GitDirs,
  isElsewhere: (name: string, commit: string) => boolean,
): SubmoduleWork | undefined {
  const modules = join(git.own, "modules");
  /** Names by git's folder: also of submodules that are no longer checked out. */
  const known = new Map(
    listRepositories(modules).map((folder) => [
      realPathOf(folder),
      slashed(relative(modules, folder)).replaceAll("/modules/", "/"),
    ]),
  );
  return findWorkIn(git, [...listLinks(git.top, LONG)], isElsewhere, known);
}

/** The same for repositories at these places in the work tree. */
export function findWorkIn(
  git: GitDirs,
  names: readonly string[],
  isElsewhere: (name: string, commit: string) => boolean,
  known = new Map<string, string>(),
): SubmoduleWork | undefined {
  const found = findFile(git, names, known);
  if (found !== undefined) return found;
  for (const [repository, name] of known) {
    const tip = findTip(git, repository, (commit) => isElsewhere(name, commit));
    if (tip !== undefined) return { name, tip: { ...tip, repository } };
  }
  return undefined;
}

/** Git's folders of submodules, whose names may contain slashes, and of submodules in these. */
const listRepositories = (folder: string): string[] =>
  foldersIn(folder).flatMap((name) => {
    const path = join(folder, name);
    const isOne = statOf(join(path, "HEAD")) !== undefined;
    return isOne ? [path, ...listRepositories(join(path, "modules"))] : listRepositories(path);
  });

const foldersIn = (folder: string): string[] =>
  entriesIn(folder).flatMap((entry) => (entry.isDirectory() ? [entry.name] : []));

function findFile(
  git: GitDirs,
  names: readonly string[],
  known: Map<string, string>,
): SubmoduleWork | undefined {
  for (const name of names) {
    const top = join(git.top, name);
    const [first] = entriesIn(top);
    // Of a link, only the link itself would go.
    if (first === undefined || isLink(top)) continue;
    const inner = gitIn(top);
    if (inner === undefined) return { name, file: first.name };
    known.set(realPathOf(inner.own), name);
    const { links, file } = lookInside(git, inner);
    if (file !== undefined) return { name, file };
    const found = findFile(
      git,
      links.map((link) => `${name}/${link}`),
      known,
    );
    if (found !== undefined) return found;
  }
  return undefined;
}

/** Submodules of a submodule, and the first file that its commit does not have. */
const lookInside = (
  git: GitDirs,
  { top, own }: GitDirs,
): { readonly links: readonly string[]; readonly file?: string | undefined } =>
  withScratchIndex(git, LONG.timeoutMs, ({ env: index }) => {
    const env = { ...index, ...objectsOf(own), GIT_DIR: git.own, GIT_WORK_TREE: top };
    const options = { ...LONG, env };
    const head = readRefs(own).find(({ ref }) => ref === "HEAD")?.commit;
    // Without a commit, everything is new.
    if (head !== undefined) runGit(git.top, ["read-tree", head], options);
    const links = listLinks(git.top, options);
    const wish = ["--modified", "--others", "--exclude-standard"];
    const { ok, out } = runGit(git.top, ["ls-files", "-z", ...wish], options);
    const isLost = (name: string): boolean =>
      !links.has(name) && lstatOf(join(top, name)) !== undefined;
    return { links: [...links], file: ok ? namesOf(out).find(isLost) : "." };
  });

const objectsOf = (repository: string): Record<string, string> => ({
  GIT_ALTERNATE_OBJECT_DIRECTORIES: JSON.stringify(join(repository, "objects")),
  GIT_SHALLOW_FILE: join(repository, "shallow"),
});

/** The first ref whose commits are nowhere else. A tag alone is not where anybody works. */
function findTip(
  { top }: GitDirs,
  repository: string,
  isElsewhere: (commit: string) => boolean,
): Tip | undefined {
  // No text that we could read.
  if (statOf(join(repository, "reftable")) !== undefined) return { ref: "HEAD", commit: "" };
  const refs = readRefs(repository);
  const isRemote = ({ ref }: Tip): boolean => ref.startsWith("refs/remotes/");
  const remote = new Set(refs.filter(isRemote).map(({ commit }) => commit));
  const own = refs.filter((one) => !isRemote(one) && !one.ref.startsWith("refs/tags/"));
  const input = [...remote].map((commit) => `^${commit}\n`).join("");
  const options = { ...LONG, env: objectsOf(repository), input };
  const plain = ["-c", "core.commitGraph=false", "-c", "core.multiPackIndex=false"];
  const isKept = (commit: string): boolean => {
    if (remote.has(commit) || isElsewhere(commit)) return true;
    const list = ["rev-list", "--max-count=1", commit, "--stdin"];
    const { ok, out } = runGit(top, [...plain, ...list], options);
    return ok && out === "";
  };
  return own.find(({ commit }) => !isKept(commit));
}

const HASH = /^[0-9a-f]{40}(?:[0-9a-f]{24})?$/;

/** Read without git, which would obey the settings there. */
function readRefs(repository: string): Tip[] {
  const loose = (name: string): string[] =>
    entriesIn(join(repository, name)).flatMap((entry) => {
      const path = `${name}/${entry.name}`;
      return entry.isDirectory() ? loose(path) : [path];
    });
  const packed = textIn(join(repository, "packed-refs"))
    .split("\n")
    .map((line) => ({ ref: line.slice(line.indexOf(" ") + 1), commit: line.split(" ")[0] ?? "" }));
  const refs = new Map(packed.map(({ ref, commit }) => [ref, commit]));
  for (const ref of loose("refs")) refs.set(ref, textIn(join(repository, ref)).trim());
  const head = textIn(join(repository, "HEAD")).trim();
  refs.set("HEAD", refs.get(head.replace(/^ref: /, "")) ?? head);
  return [...refs]
    .map(([ref, commit]) => ({ ref, commit }))
    .filter(({ commit }) => HASH.test(commit));
}

const textIn = (path: string): string => textAt(path, 64 << 20) ?? "";
