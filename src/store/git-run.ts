import { spawnSync } from "node:child_process";

/** Runs git in a folder. That git is missing or that this is no repository is an answer, not an error. */
export function runGit(
  root: string,
  args: readonly string[],
  { timeoutMs = 10_000 }: { timeoutMs?: number } = {},
): { ok: boolean; out: string; err: string } {
  const { status, stdout, stderr } = spawnSync("git", ["--no-pager", ...args], {
    cwd: root,
    encoding: "utf8",
    timeout: timeoutMs,
    stdio: ["ignore", "pipe", "pipe"],
    env: { ...process.env, LC_ALL: "C", GIT_OPTIONAL_LOCKS: "0", GIT_TERMINAL_PROMPT: "0" },
  });
  return { ok: status === 0, out: stdout ?? "", err: stderr ?? "" };
}
