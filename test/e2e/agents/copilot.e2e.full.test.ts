import { execFileSync } from "node:child_process";
import { readdirSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { copilot } from "./copilot.ts";
import { play, stage } from "./stand.ts";
import { describeAgent } from "./suite.ts";

describeAgent(copilot);

describe("Copilot CLI in particular", () => {
  it("has the tools that a task needs, calls the model for nothing else, and reports what it used", async () => {
    const staged = await stage(copilot, ({ result }) =>
      result === undefined
        ? { call: [copilot.shell("echo hello > greeting; git add -A; git commit -qm one")] }
        : "TASK_COMPLETE",
    );
    const { outcome } = await play(copilot, staged);
    const { tools = [] } = staged.model.asks[0] ?? {};
    expect(tools).toEqual(expect.arrayContaining(["bash", "view", "edit", "create"]));
    expect(tools).not.toContain("task");
    expect(staged.model.calls).toEqual({ main: 2, sub: 0, side: 0 });
    expect(JSON.stringify(staged.model.asks[0]?.request).length).toBeLessThan(30_000);
    // The scripted model reports ten tokens in and five out for each call.
    const tokens = { input: 20, cached: 0, output: 10 };
    expect(outcome.usage).toEqual({ tokens, calls: 2, model: "scripted" });
    const { cwd, env } = staged.work;
    expect(execFileSync("git", ["log", "-1", "--format=%s"], { cwd, encoding: "utf8" })).toBe(
      "one\n",
    );
    const left = readdirSync(env["TMPDIR"] ?? "").filter((name) => name.includes("usage"));
    expect(left).toEqual([]);
  });

  it("is asked for its version without a call to the model", async () => {
    const staged = await stage(copilot, () => "Nobody asks.");
    const { probe } = copilot.agent;
    const { cwd, env } = staged.work;
    expect(await probe({ cwd, env })).toMatchObject({
      installed: true,
      version: expect.stringMatching(/^\d+\.\d+\.\d+/),
      loggedIn: true,
    });
    const { COPILOT_PROVIDER_BASE_URL: _, ...bare } = env;
    expect((await probe({ cwd, env: bare })).loggedIn).toBeUndefined();
    const none = await probe({ cwd, env: { ...env, PATH: cwd } });
    expect(none).toMatchObject({ installed: false, why: expect.stringMatching(/PATH/) });
    expect(staged.model.asks).toEqual([]);
  });
});
