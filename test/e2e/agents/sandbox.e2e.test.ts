import { execFileSync } from "node:child_process";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { openSandbox } from "../../../src/exec/sandbox.ts";
import { surroundAgent } from "../../../src/runner/surround.ts";
import type { Script } from "../model.ts";
import { claude } from "./claude.ts";
import { play, stage, type Staged } from "./stand.ts";

const opened = openSandbox("bwrap", { network: true, image: undefined });
const why = opened.kind === "ok" ? "" : ` (skipped: ${opened.why})`;

/** Runs one command and is done. */
const once =
  (command: string): Script =>
  ({ result }) =>
    result === undefined ? { say: "", call: [claude.shell(command)] } : "TASK_COMPLETE";

async function stageInside(
  script: Script,
): Promise<Staged & { readonly collect: () => string | undefined }> {
  const staged = await stage(claude, script);
  if (opened.kind !== "ok") throw new Error(opened.why);
  const { enclose: _, ...work } = staged.work;
  const ground = {
    sandbox: opened.sandbox,
    namespace: { kind: "sandbox", of: "bwrap" } as const,
    options: { env: [], writable: [] },
    env: work.env,
    // The client is in the repository, which may be in /tmp.
    programs: [join(work.cwd, "../bin"), process.cwd()],
  };
  const { collect = () => "nothing", ...around } = surroundAgent(
    ground,
    "claude",
    work.cwd,
    work.env,
  );
  return { ...staged, work: { ...work, ...around }, collect };
}

describe.skipIf(opened.kind !== "ok")(`a real agent in bwrap${why}`, () => {
  it("works in its tree, commits, and writes nowhere else", async () => {
    const staged = await stageInside(
      once(
        "echo in > file; git add file; git commit -qm inside; echo out > ../outside; echo x > .git/hooks/post-commit; ln -sf /nowhere .git/logs/HEAD; echo $HOME",
      ),
    );
    const { outcome } = await play(claude, staged);
    expect(outcome).toMatchObject({ ending: { kind: "turn" }, report: "TASK_COMPLETE" });
    expect(outcome.usage.usd).toBeGreaterThan(0);
    expect(staged.read("file")).toBe("in\n");
    expect(staged.collect()).toBeUndefined();
    expect(staged.read(".git/logs/HEAD")).toContain("committed in the sandbox");
    const git = (...args: string[]): string =>
      execFileSync("git", args, { cwd: staged.work.cwd, encoding: "utf8" }).trim();
    expect(git("log", "-1", "--format=%s")).toBe("inside");
    expect(git("status", "--porcelain", "--", "file")).toBe("");
    expect(existsSync(join(staged.work.cwd, "../outside"))).toBe(false);
    expect(existsSync(join(staged.work.cwd, ".git/hooks/post-commit"))).toBe(false);
    expect(staged.living()).toEqual([]);
  });

  it("is stopped with everything that it started", async () => {
    const staged = await stageInside(once("(setsid sh -c 'sleep 600' &) ; touch begun; sleep 600"));
    const { outcome } = await play(claude, staged, (stop, event) => {
      if (event === undefined) void staged.sees("begun").then(() => stop("user"));
    });
    expect(outcome.ending).toEqual({ kind: "stopped", by: "user" });
    expect(staged.living()).toEqual([]);
  });
});
