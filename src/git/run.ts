import { spawnSync } from "node:child_process";
import { findPlace } from "./place.ts";
import { findProgram } from "../exec/program.ts";

/** What git said. `out` is as git printed it, NULs and last line feed included. */
export interface GitAnswer {
  readonly ok: boolean;
  readonly out: string;
  readonly err: string;
}

export interface GitOptions {
  readonly timeoutMs?: number;
  readonly input?: string;
  readonly env?: Readonly<Record<string, string>>;
}

/** Git's hooks set these for what they start. With them, git would look at another repository than the one in `root`. */
const ELSEWHERE = [
  "GIT_DIR",
  "GIT_WORK_TREE",
  "GIT_COMMON_DIR",
  "GIT_INDEX_FILE",
  "GIT_OBJECT_DIRECTORY",
  "GIT_ALTERNATE_OBJECT_DIRECTORIES",
  "GIT_NAMESPACE",
  "GIT_PREFIX",
  "GIT_EXTERNAL_DIFF",
] as const;

const QUIET = {
  LC_ALL: "C",
  // A look must not write the index: the user's own git would find it locked.
  GIT_OPTIONAL_LOCKS: "0",
  GIT_TERMINAL_PROMPT: "0",
  // What a partial clone has not got would be fetched, from wherever its config says.
  GIT_NO_LAZY_FETCH: "1",
  GIT_EDITOR: "true",
  // A file may be called `:(top)*`.
  GIT_LITERAL_PATHSPECS: "1",
};

/** For what the user asked for, and what may need files that are not here yet. */
export const MAY_FETCH = { GIT_NO_LAZY_FETCH: "0" } as const;

/**
 * Nothing that a repository brings along is run: neither its hooks, nor its own way to watch files, nor a folder in it
 * that looks like a bare repository. An empty value turns the second off in every git; before 2.36 `false` was a program.
 */
const CONTAINED = ["safe.bareRepository=explicit", "core.hooksPath=/dev/null", "core.fsmonitor="];

/** Runs git in a folder. That git is missing or that this is not a repository is an answer, not an error. */
export function runGit(
  root: string,
  args: readonly string[],
  { timeoutMs = 10_000, input, env = {} }: GitOptions = {},
): GitAnswer {
  const place = findPlace(root);
  if (place.kind === "none") return { ok: false, out: "", err: place.why };
  const program = findProgram("git");
  if (program === undefined) return { ok: false, out: "", err: "git is not on PATH" };
  const inherited: NodeJS.ProcessEnv = { ...process.env };
  for (const name of ELSEWHERE) delete inherited[name];
  const contained = CONTAINED.flatMap((setting) => ["-c", setting]);
  const { status, stdout, stderr, error } = spawnSync(
    program,
    [...contained, "--no-pager", ...args],
    {
      cwd: place.folder,
      encoding: "utf8",
      timeout: timeoutMs,
      maxBuffer: 64 << 20,
      windowsHide: true,
      env: { ...inherited, ...QUIET, ...place.env, ...env },
      ...(input === undefined
        ? { stdio: ["ignore", "pipe", "pipe"] as ["ignore", "pipe", "pipe"] }
        : { input }),
    },
  );
  return { ok: status === 0, out: stdout ?? "", err: (stderr || error?.message) ?? "" };
}

/** The names that git prints with `-z`: as they are, whatever is in them. */
export const namesOf = (out: string): string[] => out.split("\0").filter((name) => name !== "");
