import { describe, expect, it } from "vitest";
import { claude } from "./claude.ts";
import { play, stage } from "./stand.ts";
import { describeAgent } from "./suite.ts";

describeAgent(claude);

describe("Claude Code in particular", () => {
  it("does not exit while a command runs in the background: its result counts as the end", async () => {
    const input = { command: "sleep 600", description: "scripted", run_in_background: true };
    const staged = await stage(
      claude,
      ({ result }) =>
        result === undefined ? { call: [{ name: "Bash", input }] } : "Done.\nTASK_COMPLETE",
      { env: { CLAUDE_CODE_DISABLE_BACKGROUND_TASKS: "0" } },
    );
    const { outcome } = await play(claude, staged);
    expect(outcome).toMatchObject({ ending: { kind: "turn" }, report: "Done.\nTASK_COMPLETE" });
    expect(staged.living()).toEqual([]);
  });

  it("has the tools that a task needs, and calls the model for nothing else", async () => {
    const staged = await stage(claude, () => "Nothing to do.");
    await play(claude, staged);
    const { tools = [] } = staged.model.asks[0] ?? {};
    expect(tools).toEqual(expect.arrayContaining(["Bash", "Edit", "Read", "Write"]));
    for (const none of ["Agent", "Skill"]) expect(tools).not.toContain(none);
    expect(staged.model.calls).toEqual({ main: 1, sub: 0, side: 0 });
    expect(JSON.stringify(staged.model.asks[0]?.request).length).toBeLessThan(20_000);
  });

  it("is asked for its version and login without a call to the model", async () => {
    const staged = await stage(claude, () => "Never called.");
    const { probe } = claude.agent;
    const place = { cwd: staged.work.cwd, env: staged.work.env };
    expect(await probe(place)).toMatchObject({ installed: true, loggedIn: true });
    const { ANTHROPIC_API_KEY: _, ...env } = staged.work.env;
    const out = await probe({ ...place, env });
    expect(out).toMatchObject({
      installed: true,
      loggedIn: false,
      why: expect.stringMatching(/login/),
    });
    const none = await probe({ ...place, env: { ...env, PATH: staged.work.cwd } });
    expect(none).toMatchObject({ installed: false, why: expect.stringMatching(/PATH/) });
    expect(staged.model.asks).toEqual([]);
  });
});
