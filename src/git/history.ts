import { existsSync } from "node:fs";
import { join } from "node:path";
import type { History } from "../run/claim/receipt-check.ts";
import { findGit } from "../store/git-files.ts";
import { runGit } from "./run.ts";

/** Which of these commits, by full or short name, the repository has. */
export function readHistory(root: string, names: readonly string[]): History {
  const git = findGit(root);
  if (git === undefined) return { kind: "none", commits: new Set() };
  // A name that git would read as a branch or an option is not a commit's.
  const wanted = [...new Set(names)].filter((name) => /^[0-9a-f]{7,64}$/.test(name));
  const { ok, out } = runGit(root, ["cat-file", "--batch-check"], {
    input: wanted.map((name) => `${name}^{commit}\n`).join(""),
    // Git before 2.39 fetches what it has not got, unless no way to do so is allowed.
    env: { GIT_ALLOW_PROTOCOL: "none" },
  });
  if (!ok) return { kind: "none", commits: new Set() };
  const answers = out.split("\n");
  // A branch may have the name of a commit. A short name may have come to mean several: then it was one of them.
  const isThere = (name: string, i: number): boolean =>
    answers[i]?.startsWith(name) === true && / (?:commit \d+|ambiguous)$/.test(answers[i]);
  return {
    kind: existsSync(join(git.common, "shallow")) ? "part" : "whole",
    commits: new Set(wanted.filter(isThere)),
  };
}

/** The commit that is checked out, by its full name. `head` may be only some text that changes with it. */
export function readHeadCommit(root: string, head: string): string {
  if (head === "" || /^[0-9a-f]{40,64}$/.test(head)) return head;
  return runGit(root, ["rev-parse", "--verify", "--quiet", "HEAD"]).out.trim();
}
