import { existsSync } from "node:fs";
import { join } from "node:path";
import type { History } from "../facts/receipt-check.ts";
import { findGit } from "../store/git-files.ts";
import { runGit, runGitAsync } from "./run.ts";

/** Which of these commits, by full or short hash, the repository has. */
export function readHistory(root: string, names: readonly string[]): History {
  const git = findGit(root);
  if (git === undefined) return { kind: "none", commits: new Set() };
  // Git would read other text as a branch or an option.
  const wanted = [...new Set(names)].filter((name) => /^[0-9a-f]{7,64}$/.test(name));
  const { ok, out } = runGit(root, ["cat-file", "--batch-check"], {
    input: wanted.map((name) => `${name}^{commit}\n`).join(""),
    // Git before 2.39 fetches missing objects, unless no protocol is allowed.
    env: { GIT_ALLOW_PROTOCOL: "none" },
  });
  if (!ok) return { kind: "none", commits: new Set() };
  const answers = out.split("\n");
  // A branch may be named like a commit. A short hash may have become ambiguous; then it is one of several commits.
  const isThere = (name: string, i: number): boolean =>
    answers[i]?.startsWith(name) === true && / (?:commit \d+|ambiguous)$/.test(answers[i]);
  return {
    kind: existsSync(join(git.common, "shallow")) ? "part" : "whole",
    commits: new Set(wanted.filter(isThere)),
  };
}

/** The full hash of the commit that is checked out. `head` may be just a text that changes with the commit. */
export async function readHeadCommit(
  root: string,
  head: string,
  signal: AbortSignal,
): Promise<string> {
  if (head === "" || /^[0-9a-f]{40,64}$/.test(head)) return head;
  const { out } = await runGitAsync(root, ["rev-parse", "--verify", "--quiet", "HEAD"], { signal });
  return out.trim();
}
