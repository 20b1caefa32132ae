import { execFile, type ExecFileException } from "node:child_process";
import { existsSync } from "node:fs";
import { getSystemErrorMap } from "node:util";
import { planVerifyEnvironment } from "../exec/environment.ts";
import { planProgram } from "../exec/program.ts";
import { runToEnd } from "../exec/run-to-end.ts";
import { codeOf } from "../store/read.ts";
import { usersEnvironment } from "../store/vault.ts";
import { planIdentity } from "./identity.ts";
import { findPlace } from "./place.ts";

/** `out` is as git printed it, including NULs and the last line feed. */
export interface GitAnswer {
  readonly ok: boolean;
  readonly out: string;
  readonly err: string;
}

export interface GitOptions {
  readonly timeoutMs?: number;
  readonly input?: string;
  /** A file that git reads instead. */
  readonly stdin?: number;
  readonly env?: Readonly<Record<string, string>>;
  /** `latin1` has one character per byte, whatever the content is. */
  readonly encoding?: "utf8" | "latin1";
}

const QUIET = {
  LC_ALL: "C",
  // Reading must not write the index: the user's own git would find it locked.
  GIT_OPTIONAL_LOCKS: "0",
  GIT_TERMINAL_PROMPT: "0",
  // A partial clone would fetch missing objects, from wherever its config says.
  GIT_NO_LAZY_FETCH: "1",
  GIT_EDITOR: "true",
  // A file may be named `:(top)*`.
  GIT_LITERAL_PATHSPECS: "1",
};

/** For what the user asked for, which may need objects that have not been fetched yet. */
export const MAY_FETCH = { GIT_NO_LAZY_FETCH: "0" } as const;

/**
 * Runs nothing that a repository brings along: no hooks, no file system monitor, and nothing in a folder that looks like
 * a bare repository. Only an empty value turns off the monitor in every git; before 2.36 `false` was a program.
 */
const CONTAINED = ["safe.bareRepository=explicit", "core.hooksPath=/dev/null", "core.fsmonitor="];

/** Runs git in a folder. A missing git, or a folder that is not a repository, is an answer, not an error. */
export function runGit(
  root: string,
  args: readonly string[],
  { input, stdin, ...options }: GitOptions = {},
): GitAnswer {
  const plan = planGit(root, args, options);
  if ("err" in plan) return plan;
  const { cwd, env, timeout: limitMs } = plan.options;
  const command = [plan.program, ...plan.args];
  const { ok, out, err, error } = runToEnd(command, { cwd, env, limitMs, input, stdin });
  return { ok, out, err: codeOf(error) === "ETIMEDOUT" ? late(options) : err || failureOf(error) };
}

/** The line that git prints; undefined if it fails. */
export function lineFrom(
  root: string,
  args: readonly string[],
  options?: GitOptions,
): string | undefined {
  const { ok, out } = runGit(root, args, options);
  return ok ? out.trim() : undefined;
}

/** Undefined if git did it; otherwise why not. */
export function whyNot(
  root: string,
  args: readonly string[],
  options?: GitOptions,
): string | undefined {
  const { ok, out, err } = runGit(root, args, options);
  return ok ? undefined : reasonIn(err || out);
}

/** Git was killed, so its output is incomplete. */
const late = ({ timeoutMs = TIMEOUT_MS }: GitOptions): string =>
  `git did not answer in ${timeoutMs / 1000} s`;

const TIMEOUT_MS = 10_000;

/** The same, while other work continues. Rejected only if the signal aborts. */
export async function runGitAsync(
  root: string,
  args: readonly string[],
  {
    input = "",
    signal,
    ...options
  }: Omit<GitOptions, "stdin"> & { readonly signal?: AbortSignal } = {},
): Promise<GitAnswer> {
  signal?.throwIfAborted();
  const plan = planGit(root, args, options);
  if ("err" in plan) return plan;
  return new Promise((resolve, reject) => {
    const done = (error: ExecFileException | null, out: string, err: string): void => {
      if (signal?.aborted === true) reject(signal.reason as Error);
      // With an exit code, what git printed is all there is to say.
      const why = typeof error?.code === "number" ? "" : failureOf(error);
      resolve({ ok: error === null, out, err: err || why });
    };
    const child = execFile(plan.program, plan.args, { ...plan.options, signal }, done);
    // Git may exit before it has read everything.
    child.stdin?.on("error", () => {});
    child.stdin?.end(input);
  });
}

/** With too few processes or open files left, git says nothing: that is not about the repository. */
function failureOf(error: Error | null | undefined): string {
  const { syscall = "", errno = 0 } = (error ?? {}) as NodeJS.ErrnoException;
  const [code, text] = getSystemErrorMap().get(errno) ?? [];
  return syscall.startsWith("spawn") && code !== undefined
    ? `git could not be started: ${text} (${code})`
    : (error?.message ?? "");
}

/** What to start, or the answer if git cannot be started. */
function planGit(
  root: string,
  args: readonly string[],
  { timeoutMs = TIMEOUT_MS, env = {}, encoding = "utf8" }: Omit<GitOptions, "input" | "stdin">,
) {
  const fail = (err: string): GitAnswer => ({ ok: false, out: "", err });
  const place = findPlace(root);
  if (place.kind === "none") return fail(place.why);
  // In a run, the user's own git: an agent that reports may have another one first in its PATH.
  const inherited = planVerifyEnvironment(process.env, usersEnvironment());
  const program = planProgram("git", process.platform, inherited, existsSync);
  if (program === undefined) return fail("git is not on PATH");
  const isNamed = "GIT_COMMITTER_NAME" in env || !WRITES_COMMITS.has(verbOf(args));
  const name = isNamed ? {} : identityIn(root);
  return {
    program,
    args: [...CONTAINED.flatMap((setting) => ["-c", setting]), "--no-pager", ...shallow(args)],
    options: {
      cwd: place.folder,
      encoding,
      timeout: timeoutMs,
      maxBuffer: 64 << 20,
      windowsHide: true,
      env: { ...inherited, ...QUIET, ...place.env, ...name, ...env },
    },
  };
}

/** Without a name, git refuses these. */
const WRITES_COMMITS: ReadonlySet<string> = new Set(["commit", "commit-tree", "merge", "rebase"]);

/** What commits need here besides the user's settings; nothing if git knows who they are. */
export const identityIn = (root: string): Readonly<Record<string, string>> =>
  planIdentity((variable) => runGit(root, ["var", variable]).ok);

/** Whose name a commit would have, without the time; undefined if git does not know. */
export function readIdentity(root: string): string | undefined {
  const { ok, out } = runGit(root, ["var", "GIT_AUTHOR_IDENT"]);
  return ok ? out.slice(0, out.lastIndexOf(">") + 1) : undefined;
}

/**
 * Git looks for changes inside submodules with their own settings. These may name commands, and anyone who can write to
 * the work tree can change them. Only an option overrides what `.gitmodules` says.
 */
function shallow(args: readonly string[]): readonly string[] {
  if (!["status", "diff", "diff-index"].includes(verbOf(args))) return args;
  const at = verbAt(args) + 1;
  return [...args.slice(0, at), "--ignore-submodules=dirty", ...args.slice(at)];
}

const verbAt = (args: readonly string[]): number =>
  args.findIndex((word, i) => word !== "-c" && args[i - 1] !== "-c");

const verbOf = (args: readonly string[]): string => args[verbAt(args)] ?? "";

/** The names that git prints with `-z`, whatever characters they contain. */
export const namesOf = (out: string): string[] => out.split("\0").filter((name) => name !== "");

export const linesOf = (out: string): string[] => out.split("\n").filter((line) => line !== "");

/** The line that says what went wrong: git may print progress or hints first. */
export function reasonIn(text: string): string {
  const lines = text.trim().split("\n");
  return (lines.find((line) => /^(?:fatal|error):/.test(line)) ?? lines[0] ?? "").trim();
}
