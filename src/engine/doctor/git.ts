import { IDENTITY } from "../../git/identity.ts";
import { readIdentity, runGit } from "../../git/run.ts";
import { type Diagnostic, findingsAbout } from "../../text/diagnostic.ts";

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
  const git = findingsAbout("git");
  const { ok, info } = findingsAbout("identity");
  const none = "the project is not in a git repository: commits and undo need one";
  if (!isThere) return [git.info(none, "git init")];
  const { GIT_AUTHOR_NAME: name, GIT_AUTHOR_EMAIL: email } = IDENTITY;
  return [
    git.ok("the project is in a git repository"),
    identity === undefined
      ? info(
          `git does not know your name: commits are by ${name} <${email}>`,
          'git config --global user.name "<your name>" && git config --global user.email "<your address>"',
        )
      : ok(`commits are by ${identity}`),
  ];
}
