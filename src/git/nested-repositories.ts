import { readdirSync } from "node:fs";
import { join } from "node:path";
import { type GitDirs, gitIn } from "../store/git-files.ts";
import { namesOf, runGit } from "./run.ts";
import { listLinks } from "./stage.ts";
import { findWorkIn } from "./submodule-work.ts";

const LONG = { timeoutMs: 600_000 };

/**
 * The first repository in a work tree that no commit of the tree could keep, relative to its top. Not one in an ignored
 * folder if all of it is also elsewhere: package managers clone what a project needs.
 */
export function findNested(git: GitDirs): string | undefined {
  const { top } = git;
  const names = listNested(top, listLinks(top, LONG));
  if (names.length === 0) return undefined;
  // It cannot take names literally, but `./` leaves nothing to interpret.
  const env = { GIT_LITERAL_PATHSPECS: "0" };
  const input = names.map((name) => `./${name}\0`).join("");
  const { out } = runGit(top, ["check-ignore", "-z", "--stdin"], { ...LONG, env, input });
  const ignored = new Set(namesOf(out).map((name) => name.slice(2)));
  return (
    names.find((name) => !ignored.has(name)) ?? findWorkIn(git, [...ignored], () => false)?.name
  );
}

/** Git's status does not name a repository in a folder of which it tracks files. Submodules are not among these. */
function listNested(top: string, links: ReadonlySet<string>): string[] {
  const found: string[] = [];
  const waiting = [""];
  for (let below = waiting.pop(); below !== undefined; below = waiting.pop())
    for (const entry of entriesIn(join(top, below))) {
      const name = below === "" ? entry.name : `${below}/${entry.name}`;
      if (entry.name === ".git") {
        if (below !== "" && gitIn(join(top, below)) !== undefined) found.push(below);
      } else if (entry.isDirectory() && !links.has(name)) waiting.push(name);
    }
  return found;
}

function entriesIn(folder: string) {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch {
    // What cannot be read cannot be removed either.
    return [];
  }
}
