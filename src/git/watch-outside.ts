import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { findGit } from "../store/git-files.ts";
import { fileNamesIn, statOf, textAt } from "../store/read.ts";
import { orElse } from "../text/or-else.ts";
import { REFS } from "./checkpoint.ts";
import { listForeignExcludes } from "./exclude.ts";
import { readGitLinks } from "./git-links.ts";
import { linesOf, runGit } from "./run.ts";

/** Refs that a run writes itself. */
const OURS = ["refs/heads/smart-ralph/", `${REFS}/`];
/** Decide what git runs, and which files, commits and objects it sees. */
const SETTINGS = "config config.worktree info/attributes info/grafts objects/info/alternates".split(
  " ",
);
const EXCLUDES = "info/exclude";
const MAX_HOOKS = 100;
const MAX_BYTES = 1 << 20;

/**
 * Remembers the parts of the repository that do not belong to the run: other refs, settings, hooks and links. Returns a
 * function that lists what has changed since, whoever changed it.
 */
export function watchOutside(top: string): () => string[] {
  const before = read(top);
  return () => {
    const now = read(top);
    const names = new Set([...before.keys(), ...now.keys()]);
    return [...names].filter((name) => before.get(name) !== now.get(name)).sort();
  };
}

function read(top: string): ReadonlyMap<string, string> {
  const { out } = runGit(top, ["for-each-ref", "--format=%(refname) %(objectname)"]);
  const refs = linesOf(out)
    .filter((line) => !OURS.some((one) => line.startsWith(one)))
    .map((line) => line.split(" ") as [string, string]);
  const common = findGit(top)?.common;
  if (common === undefined) return new Map(refs);
  const files = [...SETTINGS, ...hooksIn(common)].flatMap((name) => {
    const hash = hashOf(join(common, name));
    return hash === undefined ? [] : [[`.git/${name}`, hash] as const];
  });
  const links = Object.entries(readGitLinks({ common })).map(
    ([name, target]) => [`.git/${name}`, target] as const,
  );
  const foreign = listForeignExcludes(textAt(join(common, EXCLUDES), MAX_BYTES) ?? "");
  return new Map([...refs, ...links, ...files, [`.git/${EXCLUDES}`, foreign.join("\n")]]);
}

const hooksIn = (common: string): string[] =>
  fileNamesIn(join(common, "hooks"))
    .slice(0, MAX_HOOKS)
    .map((name) => `hooks/${name}`);

function hashOf(path: string): string | undefined {
  const stat = statOf(path);
  if (stat === undefined) return undefined;
  const isRead = stat.isFile() && stat.size <= MAX_BYTES;
  return orElse(() => {
    const content = isRead ? readFileSync(path) : `${stat.size} ${stat.mtimeMs}`;
    return createHash("sha256").update(content).update(String(stat.mode)).digest("hex");
  }, "");
}
