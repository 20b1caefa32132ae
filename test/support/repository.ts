import { execFileSync } from "node:child_process";
import { mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { PATH } from "../program/child.ts";
import { fillFolder, makeFolder } from "../program/temporary.ts";

/** Nothing of the machine's or the user's own git reaches a test. */
export const GIT_ENV = {
  GIT_CONFIG_NOSYSTEM: "1",
  GIT_AUTHOR_NAME: "Tess",
  GIT_AUTHOR_EMAIL: "tess@example.com",
  GIT_COMMITTER_NAME: "Tess",
  GIT_COMMITTER_EMAIL: "tess@example.com",
};

/** A folder with git in it, and its own home. */
export interface Repository {
  readonly home: string;
  readonly root: string;
  readonly git: (...args: string[]) => string;
  /** Writes files and commits everything; returns the commit. */
  readonly commit: (files?: Readonly<Record<string, string>>, subject?: string) => string;
  readonly write: (files: Readonly<Record<string, string>>) => void;
  readonly read: (name: string) => string;
  readonly refs: () => string[];
}

export function openRepository(root: string, home: string): Repository {
  const git = (...args: string[]): string =>
    execFileSync("git", args, {
      cwd: root,
      env: { PATH, HOME: home, ...GIT_ENV },
      encoding: "utf8",
      stdio: "pipe",
    }).trimEnd();
  const write: Repository["write"] = (files) => void fillFolder(root, files);
  return {
    home,
    root,
    git,
    write,
    commit(files = {}, subject = "change") {
      write(files);
      git("add", "-A");
      git("commit", "-q", "--allow-empty", "-m", subject);
      return git("rev-parse", "HEAD");
    },
    read: (name) => readFileSync(join(root, name), "utf8"),
    refs: () =>
      git("for-each-ref", "--format=%(refname)", "refs/smart-ralph/").split("\n").filter(Boolean),
  };
}

export function makeRepository(): Repository {
  const home = makeFolder();
  const root = join(home, "repo");
  mkdirSync(root);
  const repository = openRepository(root, home);
  repository.git("init", "-q", "-b", "main");
  return repository;
}

/** Names that go wrong where a shell, an option parser or git's own quoting gets at them. */
export const ODD_NAMES = [
  "with space.txt",
  'it\'s "quoted".txt',
  "-rf",
  "--output=x",
  "日本語/ñandú.txt",
  "new\nline.txt",
  "$(touch x).txt",
  ":(top)*.txt",
  "back\\slash.txt",
  "tab\t.txt",
] as const;
