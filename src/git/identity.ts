import { runGit } from "./run.ts";

/** Our own commits must also work for people who never configured their name. */
export const NAME = "Smart Ralph";
export const EMAIL = "smart-ralph@localhost";
export const IDENTITY = {
  GIT_AUTHOR_NAME: NAME,
  GIT_AUTHOR_EMAIL: EMAIL,
  GIT_COMMITTER_NAME: NAME,
  GIT_COMMITTER_EMAIL: EMAIL,
};

/** For commits in somebody's history: their own name, or ours if git knows none. */
export const identityIn = (root: string): Readonly<Record<string, string>> =>
  ["GIT_AUTHOR_IDENT", "GIT_COMMITTER_IDENT"].every((name) => runGit(root, ["var", name]).ok)
    ? {}
    : IDENTITY;
