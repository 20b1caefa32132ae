/** Our own commits must also work for people who never configured their name. */
export const NAME = "Smart Ralph";
export const EMAIL = "smart-ralph@localhost";
const AUTHOR = { GIT_AUTHOR_NAME: NAME, GIT_AUTHOR_EMAIL: EMAIL };
const COMMITTER = { GIT_COMMITTER_NAME: NAME, GIT_COMMITTER_EMAIL: EMAIL };
export const IDENTITY = { ...AUTHOR, ...COMMITTER };

/** For commits in somebody's history: their own name, or ours where git knows none. */
export const planIdentity = (
  isKnown: (variable: "GIT_AUTHOR_IDENT" | "GIT_COMMITTER_IDENT") => boolean,
): Readonly<Record<string, string>> => ({
  ...(isKnown("GIT_AUTHOR_IDENT") ? {} : AUTHOR),
  ...(isKnown("GIT_COMMITTER_IDENT") ? {} : COMMITTER),
});
