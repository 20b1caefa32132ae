import { execFileSync } from "node:child_process";
import { appendFileSync, mkdirSync, mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { ATTEMPT_MARK } from "../../../src/agents/process/sweep.ts";
import { isFull } from "../../support/full.ts";
import { codex, sandboxedCodex } from "./codex.ts";
import { play, stage } from "./stand.ts";
import { describeAgent } from "./suite.ts";

describeAgent(codex, isFull ? "all" : "cheap");

describe("Codex in particular", () => {
  it("has the tools that a task needs, and calls the model for nothing else", async () => {
    const staged = await stage(codex, () => "Nothing to do.");
    await play(codex, staged);
    const { tools = [] } = staged.model.asks[0] ?? {};
    expect(tools).toContain("exec_command");
    expect(tools).not.toContain("create_goal");
    expect(staged.model.calls).toEqual({ main: 1, sub: 0, side: 0 });
    expect(JSON.stringify(staged.model.asks[0]?.request).length).toBeLessThan(30_000);
  });

  it("passes our marks to its commands, even if the user's settings pass next to nothing", async () => {
    const staged = await stage(codex, ({ result }) =>
      result === undefined ? { call: [codex.shell("env > variables")] } : "TASK_COMPLETE",
    );
    const { HOME = "" } = staged.work.env;
    const settings = '\n[shell_environment_policy]\ninherit = "none"\n';
    appendFileSync(join(HOME, ".codex", "config.toml"), settings);
    await play(codex, staged);
    expect(staged.read("variables")).toContain(`${ATTEMPT_MARK}=${staged.mark}/1.1/1\n`);
  });

  it("commits in a work tree from inside its own sandbox, or the probe says that the sandbox cannot start", async ({
    skip,
  }) => {
    const commit = "echo hello > greeting; git add -A && git commit -qm one; sleep 0.2";
    const staged = await stage(sandboxedCodex, ({ result }) =>
      result === undefined ? { call: [sandboxedCodex.shell(commit)] } : "TASK_COMPLETE",
    );
    const git = (...args: string[]): string =>
      execFileSync("git", args, { cwd: staged.work.cwd, encoding: "utf8" });
    const cwd = join(mkdtempSync(join(tmpdir(), "tree-")), "tree");
    git("worktree", "add", "-q", "-b", "task", cwd);
    // Its sandbox does not start if the home is inside the folder for temporary files.
    const TMPDIR = join(staged.work.env["HOME"] ?? "", "tmp");
    mkdirSync(TMPDIR);
    const env = { ...staged.work.env, TMPDIR };
    const work = { ...staged.work, env, cwd, writable: [join(staged.work.cwd, ".git")] };
    const { probe } = sandboxedCodex.agent;
    const { why = "" } = await probe(work);
    // Many containers do not let it start, nor does a home inside the machine's folder for temporary files.
    skip(/sandbox cannot start here \(bwrap: /.test(why), why);
    expect(why).not.toMatch(/sandbox/);
    const { outcome } = await play(sandboxedCodex, { ...staged, work });
    expect(outcome.ending).toEqual({ kind: "turn" });
    expect(git("log", "--format=%s", "task").split("\n")[0]).toBe("one");
  });

  it("is asked for its version and login without a call to the model", async () => {
    const staged = await stage(codex, () => "Never called.");
    const { probe } = codex.agent;
    const { cwd, env } = staged.work;
    const out = await probe({ cwd, env });
    expect(out).toMatchObject({
      installed: true,
      version: expect.stringMatching(/^\d+\.\d+\.\d+/),
    });
    // Another model provider is set up, so a login would not matter.
    expect(out.loggedIn).toBeUndefined();
    expect(out.why).toMatch(/codex login/);
    const login = { input: "sk-made-up", cwd, env, stdio: ["pipe", "ignore", "ignore"] as const };
    execFileSync("codex", ["login", "--with-api-key"], { ...login, stdio: [...login.stdio] });
    expect(await probe({ cwd, env })).toMatchObject({ installed: true, loggedIn: true });
    const none = await probe({ cwd, env: { ...env, PATH: cwd } });
    expect(none).toMatchObject({ installed: false, why: expect.stringMatching(/PATH/) });
    expect(staged.model.asks).toEqual([]);
  });
});
