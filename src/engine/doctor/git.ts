import { IDENTITY } from "../../git/identity.ts";
import { readIdentity } from "../../git/run.ts";
import { runGit } from "../../git/run.ts";
import type { Diagnostic } from "../../text/diagnostic.ts";

export interface GitFacts {
  readonly isThere: boolean;
  /** As in a commit: `Ana <ana@example.com>`. Undefined if nobody has told git. */
  readonly identity: string | undefined;
}

export const readGitFacts = (root: string): GitFacts => ({
  isThere: runGit(root, ["rev-parse", "--is-inside-work-tree"]).ok,
  identity: readIdentity(root),
});

/** Everything works without git, except what needs it. */
export function checkGit({ isThere, identity }: GitFacts): Diagnostic[] {
  if (!isThere)
    return [
      {
        severity: "info",
        code: "git",
        message: "the project is not in a git repository: commits and undo need one",
        fix: "git init",
      },
    ];
  const { GIT_AUTHOR_NAME: name, GIT_AUTHOR_EMAIL: email } = IDENTITY;
  return [
    { severity: "ok", code: "git", message: "the project is in a git repository" },
    identity === undefined
      ? {
          severity: "info",
          code: "identity",
          message: `git does not know your name: commits are by ${name} <${email}>`,
          fix: 'git config --global user.name "<your name>" && git config --global user.email "<your address>"',
        }
      : { severity: "ok", code: "identity", message: `commits are by ${identity}` },
  ];
}
