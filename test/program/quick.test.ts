import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { Phase } from "../../src/layouts/layout.ts";
import { layouts, specum } from "../support/editions.ts";
import { fewOf } from "../support/full.ts";
import { ordersFor } from "./agents.ts";
import { type Flow, GOAL, makeFlow, makeGitFlow, nameIn, startFlow } from "./flow.ts";
import { runGate } from "./gate.ts";
import { IN_SESSION, SESSION, type StopAnswer } from "./support.ts";

/** The end of a turn, as the client reports it: by the plugin's own command line. */
function endTurn(flow: Flow, fields: object = {}): StopAnswer {
  const { code, out, err } = runGate(flow, { fields });
  expect({ code, err: err.replace(/^\[ralph-\w+\] .*\n/gm, "") }).toEqual({ code: 0, err: "" });
  return out === "" ? {} : (JSON.parse(out) as StopAnswer);
}

const asks = (flow: Flow, fields: object = {}): string =>
  runGate(flow, { event: "PreToolUse", fields: { tool_name: "AskUserQuestion", ...fields } }).out;

const other = { session_id: "session-2" };

function setState(flow: Flow, fields: object): void {
  const state = { ...flow.state(), ...fields };
  writeFileSync(join(flow.folder, flow.layout.stateFile), JSON.stringify(state));
}

describe.each(fewOf(layouts))("$plugin in quick mode", (layout) => {
  const [first, second] = layout.phases as [Phase, Phase];

  it("goes from phase to phase and into execution, one at each end of a turn", () => {
    const flow = startFlow(layout, makeGitFlow(layout), "--quick");
    for (const [i, phase] of layout.phases.entries()) {
      flow.write(phase.document);
      const { decision, reason, systemMessage } = endTurn(flow);
      expect(decision).toBe("block");
      const next = layout.phases[i + 1];
      if (next === undefined) {
        expect(reason).toContain("Task 1.1 → ");
        expect(flow.state()).toMatchObject({ phase: "execution", totalTasks: 1, taskIndex: 0 });
        continue;
      }
      expect(reason).toContain(`phase ${next.name} of ${layout.unit} \`${nameIn(layout)}\``);
      expect(reason).toContain("Quick mode: ask nothing.");
      // All else is for the agent that writes.
      const orders = ordersFor(flow, "", { agent: next.agent, call: next.name });
      expect(orders).toContain(`Goal: ${GOAL}`);
      expect(orders).toContain("write each assumption under `## Interview`");
      expect(systemMessage).toMatch(new RegExp(`: phase ${next.name}$`));
      expect(flow.state()).toMatchObject({ phase: next.name, globalIteration: i + 2 });
    }
    expect(flow.git.git("log", "--format=%s").split("\n").reverse().slice(1)).toEqual(
      layout.phases.map(
        ({ document }) => `docs(${nameIn(layout)}): ${document.replace(/\.md$|\/$/, "")}`,
      ),
    );
    const phases = Array.from({ length: layout.phases.length + 1 }, () => "phase");
    // The Verify of the first task is tried before it goes out.
    const events = flow.entries().map(({ event }) => event);
    expect(events.filter((event) => event !== "delegated")).toEqual([...phases, "before"]);
    expect(endTurn(flow, { stop_hook_active: true }).reason).toMatch(/^Continue \w+: .*Task 1\/1/);
  });

  it("says why a document is handed out again whose agent was killed", () => {
    const flow = startFlow(layout, makeFlow(layout), "--quick");
    const told = (call: string, { agent }: Phase): string => ordersFor(flow, "", { agent, call });
    expect(told("a", first)).not.toContain("stopped before it said");
    flow.write(first.document);
    flow.slash(["resume"]);
    expect(told("b", first)).toContain("It passes its check: if nothing is missing, leave it");
    endTurn(flow);
    flow.slash([first.name]);
    expect(told("c", first), "the user wants another one").not.toContain("stopped before it said");
  });

  it.each([
    [["--quick", "--allow-amend"], false],
    [["--quick"], true],
  ])("with %j an amended Verify waits for the user: %j", (options, waits) => {
    const flow = startFlow(layout, makeFlow(layout), ...options);
    // Also after a session that died.
    flow.slash(["resume"]);
    for (const { document } of layout.phases) {
      flow.write(document);
      endTurn(flow);
    }
    const amend = ["amend", "1.1", "--verify", "test -f made", "--reason", "wrong"];
    expect(flow.json(amend, IN_SESSION)).toMatchObject({ ok: true, waits });
  });

  it("sends a document back three times, then stops, and continues once it is fixed", () => {
    const flow = startFlow(layout, makeFlow(layout), "--quick");
    for (const round of [1, 2, 3]) {
      const { decision, reason } = endTurn(flow, { stop_hook_active: round > 1 });
      expect(decision).toBe("block");
      expect(reason).toContain(`${first.document} is not finished (round ${round} of 3):\n- `);
      expect(reason).toContain(`${layout.plugin}:${first.agent}`);
    }
    const end = endTurn(flow, { stop_hook_active: true });
    expect(end.decision).toBeUndefined();
    expect(end.systemMessage).toMatch(/stopped, .* failed its check again: .*resume$/);
    expect(endTurn(flow, { stop_hook_active: true }), "said once").toEqual({});
    expect(flow.json(["status"])).toMatchObject({ standing: "stopped" });
    expect(asks(flow), "now there is somebody to ask").toBe("");
    flow.write(first.document);
    expect(endTurn(flow).reason).toContain(`phase ${second.name} of`);
  });

  it("starts its rounds again when the user resumes", () => {
    const flow = startFlow(layout, makeFlow(layout), "--quick");
    for (let i = 0; i < 4; i++) endTurn(flow);
    expect(flow.prompt("resume")).toContain(`phase ${first.name} of`);
    expect(endTurn(flow).reason).toContain("(round 1 of 3)");
  });

  it("is one session's own, and a pause holds it", () => {
    const flow = startFlow(layout, makeFlow(layout), "--quick");
    flow.write(first.document);
    expect(endTurn(flow, other)).toEqual({});
    const agents = { background_tasks: [{ type: "subagent", status: "running" }] };
    expect(endTurn(flow, agents), "its sub-agent is at work").toEqual({});
    flow.run(["pause"]);
    expect(endTurn(flow)).toEqual({
      systemMessage: expect.stringContaining(`paused at phase ${first.name}`) as string,
    });
    flow.prompt("resume");
    expect(endTurn(flow).decision).toBe("block");
  });

  it("leaves a session alone that another hook drives", () => {
    const flow = startFlow(layout, makeFlow(layout), "--quick");
    expect(endTurn(flow, { stop_hook_active: true })).toEqual({});
  });

  it("denies questions to the session that it drives, and to no other", () => {
    const flow = startFlow(layout, makeFlow(layout), "--quick");
    const denied = JSON.parse(asks(flow)) as { hookSpecificOutput: object };
    expect(denied.hookSpecificOutput).toMatchObject({
      hookEventName: "PreToolUse",
      permissionDecision: "deny",
      permissionDecisionReason: expect.stringContaining(".progress.md") as string,
    });
    expect(asks(flow, other)).toBe("");
    flow.run(["pause"]);
    expect(asks(flow)).toBe("");
    const asking = startFlow(layout);
    expect(asks(asking), "questions are what other phases are for").toBe("");
  });

  it("comes to an end at the limit of turns, like any run", () => {
    const flow = startFlow(layout, makeFlow(layout), "--quick");
    setState(flow, { maxGlobalIterations: 1 });
    flow.write(first.document);
    expect(endTurn(flow).systemMessage).toContain("max iterations (1) reached");
    expect(flow.state()).toMatchObject({ phase: first.name });
  });

  it("says in the next prompt that a document could not be committed", () => {
    const flow = startFlow(layout, makeGitFlow(layout), "--quick");
    flow.write(first.document);
    writeFileSync(join(flow.root, ".git/MERGE_HEAD"), flow.git.git("rev-parse", "HEAD"));
    expect(endTurn(flow).reason).toMatch(
      new RegExp(
        `^${first.document} \\(not committed: git is in the middle of a merge; fix that, then commit it by hand\\)\\.\n\n`,
      ),
    );
  });

  it.each([
    ["awaiting approval, which quick mode gives", { awaitingApproval: true }, second.name],
    ["without a session, which the first stop binds", { sessionId: undefined }, second.name],
  ])("continues with an older state: %s", (_, fields, phase) => {
    const flow = startFlow(layout, makeFlow(layout), "--quick");
    flow.write(first.document);
    setState(flow, fields);
    expect(endTurn(flow).decision).toBe("block");
    expect(flow.state()).toMatchObject({ phase, awaitingApproval: false, sessionId: SESSION });
  });
});

describe.each(fewOf(layouts))("$plugin: a session begins", (layout) => {
  const [first, second] = layout.phases as [Phase, Phase];
  const begin = (flow: Flow, fields: object = {}): string =>
    runGate(flow, { event: "SessionStart", fields }).out;
  const told = (flow: Flow, fields: object = {}): string =>
    (JSON.parse(begin(flow, fields)) as StopAnswer).systemMessage ?? "";

  it("in a phase, and when a document waits for approval", () => {
    const flow = startFlow(layout);
    const where = `: ${nameIn(layout)}: `;
    for (const fields of [{}, other])
      expect(told(flow, fields)).toContain(
        `${where}in phase ${first.name}; /${layout.plugin}:start continues`,
      );
    flow.write(first.document);
    flow.call("submit");
    expect(told(flow, other)).toContain(
      `${where}${first.document} waits for your approval; /${layout.plugin}:${second.name} approves it`,
    );
  });

  it("next to another one in quick mode, which may be working or dead", () => {
    const flow = startFlow(layout, makeFlow(layout), "--quick");
    expect(told(flow, other)).toContain("continues, unless another session is working on it");
    expect(told(flow)).toContain(`in phase ${first.name}`);
    flow.run(["pause"]);
    expect(told(flow, other)).toContain(`in phase ${first.name}`);
  });

  it("if there is no state, and a phase that somebody wrote into it makes no difference", () => {
    const flow = startFlow(layout);
    const before = begin(flow);
    setState(flow, { phase: "dreaming" });
    expect(begin(flow)).toBe(before);
    flow.slash(["cancel"]);
    expect(begin(flow)).toBe("");
  });
});

it("a stop in a phase without quick mode does not concern us, whatever the document", () => {
  const flow = startFlow(specum);
  expect(endTurn(flow)).toEqual({});
  flow.write("research.md");
  expect(endTurn(flow)).toEqual({});
  expect(flow.entries()).toHaveLength(1);
});

it("the attempts that the settings allow hold in a run that quick mode began", () => {
  const settings = { [specum.settingsFile]: "---\ndefault_max_iterations: 2\n---\n" };
  const flow = startFlow(specum, makeFlow(specum, settings), "--quick");
  for (const { document } of specum.phases) {
    flow.write(document);
    endTurn(flow);
  }
  expect(flow.json(["status"])).toMatchObject({ phase: "execution", maxAttempts: 2 });
});
