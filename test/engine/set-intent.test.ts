import { describe, expect, it } from "vitest";
import { EXIT } from "../../src/apps/cli/command.ts";
import { expectRefusal } from "../program/support.ts";
import { specum } from "../support/editions.ts";
import { makeFlow, nameIn, startFlow } from "./flow.ts";

const layout = specum;

describe("set intent", () => {
  it("by an agent: changes the state, the journal, the notes and the next prompt", async () => {
    const flow = await startFlow(layout);
    const { code, out } = await flow.call("set", "intent", "bug-fix");
    expect({ code, out }).toEqual({
      code: EXIT.ok,
      out: `${nameIn(layout)} is bug-fix now, was mid-sized.\n`,
    });
    expect(flow.state()).toMatchObject({ intent: "bug-fix", intentBy: "agent" });
    expect(flow.entries().at(-1)).toMatchObject({
      event: "intent",
      note: "bug-fix, was mid-sized, set by the agent",
    });
    expect(flow.read(".progress.md")).toContain("## Intent\n\nbug-fix, as an agent judged; `");
    expect(flow.read(".progress.md")).toContain("\n## Related Specs\n");
    expect(await flow.prompt("start")).toContain("- Intent: bug-fix, as an agent judged; ");
  });

  it("an agent may not overrule the user, who may change it at any time", async () => {
    const flow = await startFlow(layout, makeFlow(layout), "--intent", "refactor");
    expect(flow.read(".progress.md")).toContain("## Intent\n\nrefactor, as the user said; `");
    expectRefusal(
      await flow.call("set", "intent", "trivial"),
      EXIT.refused,
      /the user said that this is a refactoring; plan for that/,
    );
    expect(await flow.prompt("start", "--intent", "greenfield")).toContain(
      "greenfield, as the user said",
    );
    expect(flow.read(".progress.md")).toContain("## Intent\n\ngreenfield, as the user said; `");
  });

  it("an agent may not change it once tasks are being worked on", async () => {
    const flow = await startFlow(layout);
    flow.write("tasks.md");
    await flow.prompt("implement");
    const notes = flow.read(".progress.md");
    expectRefusal(await flow.call("set", "intent", "trivial"), EXIT.refused, /the plan is made/);
    expect(flow.read(".progress.md")).toBe(notes);
  });

  it("takes only what there is", async () => {
    const flow = await startFlow(layout);
    expectRefusal(
      await flow.call("set", "intent", "huge"),
      EXIT.usage,
      /"huge" is not an intent; one of/,
    );
    expectRefusal(await flow.call("set"), EXIT.usage, /set needs a subcommand/);
    expectRefusal(
      await flow.at("other").call("set", "intent", "trivial", "other"),
      EXIT.missing,
      /other/,
    );
  });

  it("tasks lint compares the plan with it, as a warning", async () => {
    const flow = await startFlow(layout, makeFlow(layout), "--intent", "bug-fix");
    flow.write("tasks.md");
    const { code, out } = await flow.call("tasks", "lint");
    expect(code).toBe(EXIT.ok);
    expect(out).toContain(
      "warning bug-not-reproduced The goal is bug-fix, as the user said, but no task reproduces the bug.",
    );
    await flow.prompt("start", "--intent", "mid-sized");
    expect((await flow.call("tasks", "lint")).out).not.toContain("bug-not-reproduced");
  });
});
