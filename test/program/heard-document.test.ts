import { describe, expect, it } from "vitest";
import type { Phase } from "../../src/layouts/layout.ts";
import { commandAfter } from "../../src/layouts/phases.ts";
import { layouts } from "../support/editions.ts";
import { fewOf } from "../support/full.ts";
import { giveBack, send, type SendOptions } from "./agents.ts";
import { end, expectSilence } from "./claims.ts";
import {
  enterPhase,
  type Flow,
  GOAL,
  makeFlow,
  makeGitFlow,
  nameIn,
  startFlow,
  written,
} from "./flow.ts";

/** The agent that writes the phase's document ends its turn. */
const endWriter = (flow: Flow, { agent }: Phase, fields: object = {}): ReturnType<typeof end> =>
  end(flow, {
    agent_type: `${flow.layout.plugin}:${agent}`,
    last_assistant_message: "Written.",
    ...fields,
  });

const sentBack = ({ out }: ReturnType<typeof end>): string => {
  const { decision, reason } = JSON.parse(out) as { decision: string; reason: string };
  expect(decision).toBe("block");
  return reason;
};

const by = ({ agent }: Phase): SendOptions => ({ agent, call: "writer" });
const unfinished = (flow: Flow, { document }: Phase): string =>
  written(flow.layout, document).replace("Said in a sentence.", "TBD");

describe.each(fewOf(layouts))("$plugin: an agent that writes a document", (layout) => {
  const [first, second] = layout.phases as [Phase, Phase];

  it("gets the goal, the file, the facts and the user's words, in the foreground", () => {
    const flow = startFlow(layout);
    const { input, orders } = send(flow, "The user prefers Redis.", by(first));
    expect(input).toMatchObject({
      subagent_type: `${layout.plugin}:${first.agent}`,
      run_in_background: false,
    });
    expect(orders).toContain(`Goal: ${GOAL}`);
    expect(orders).toContain(`/${nameIn(layout)}/${first.document}`);
    expect(orders).toContain("that file is the deliverable");
    expect(orders).toContain("From the coordinator:\nThe user prefers Redis.");
    expect(orders).not.toContain("It is not finished yet");
    expect(flow.entries().at(-1)).toMatchObject({
      event: "delegated",
      task: first.document,
      loop: { out: { writer: first.document } },
    });
  });

  it("is told what was wrong with the last version", () => {
    const flow = startFlow(layout);
    flow.write(first.document, unfinished(flow, first));
    const { orders } = send(flow, "", by(first));
    expect(orders).toContain("It is not finished yet:\n- ");
    expect(orders).toContain("TBD is still open");
  });

  it.each(layout.phases)("submits a whole $document by ending", (phase) => {
    const flow = startFlow(layout, makeGitFlow(layout));
    enterPhase(flow, phase.name);
    send(flow, "", by(phase));
    flow.write(phase.document);
    expectSilence(endWriter(flow, phase));
    expect(flow.state()).toMatchObject({
      phase: phase.name,
      awaitingApproval: true,
      approvalReason: `${phase.document} is ready`,
    });
    const { context, say } = giveBack(flow, "", by(phase));
    expect(context).toContain(`${phase.document} passed its check and waits for the user`);
    expect(say).toBeUndefined();
    expect(flow.entries().at(-1)).toMatchObject({ event: "returned", loop: { out: {} } });
    // Nothing goes on until the user says so.
    expect(flow.stop()).toEqual({});
    expect(flow.type(commandAfter(layout.phases, phase)).code).toBe(0);
  });

  it("is sent back twice with what is missing, and then the coordinator is told", () => {
    const flow = startFlow(layout);
    send(flow, "", by(first));
    flow.write(first.document, unfinished(flow, first));
    for (let i = 0; i < 2; i++) {
      const reason = sentBack(endWriter(flow, first));
      expect(reason).toContain(`${first.document} is not finished:\n- `);
      expect(reason).toContain("TBD is still open");
    }
    expectSilence(endWriter(flow, first));
    expect(flow.state()).not.toMatchObject({ awaitingApproval: true });
    const { context } = giveBack(flow, "", by(first));
    expect(context).toContain(`${first.document} is not finished:`);
    expect(context).toContain("TBD is still open");
    expect(context).toContain("tell the user what is missing");
    expect(flow.entries().filter(({ event }) => event === "refused")).toHaveLength(3);
    flow.write(first.document);
    expectSilence(endWriter(flow, first, { agent_id: "agent-2" }));
    expect(flow.state()).toMatchObject({ awaitingApproval: true });
  });

  it("that wrote nothing is sent back too", () => {
    const flow = startFlow(layout);
    send(flow, "", by(first));
    expect(sentBack(endWriter(flow, first))).toContain(`${first.document} does not exist`);
  });

  it("in quick mode leads to the next phase with its result, and in the end to the first task", () => {
    const flow = startFlow(layout, makeGitFlow(layout), "--quick");
    for (const [i, phase] of layout.phases.entries()) {
      send(flow, "", by(phase));
      flow.write(phase.document);
      expectSilence(endWriter(flow, phase, { agent_id: phase.name }));
      expect(flow.state()).not.toMatchObject({ awaitingApproval: true });
      const { context } = giveBack(flow, "", by(phase));
      const next = layout.phases[i + 1];
      expect(context).toContain(next === undefined ? "Task 1.1 → " : `phase ${next.name} of`);
      expect(flow.state()).toMatchObject({
        phase: next?.name ?? "execution",
        globalIteration: i + 2,
      });
    }
    expect(send(flow, "1.1").orders).toContain("1.1 Count");
  });

  it("in quick mode is sent back at its return if its document is still not finished", () => {
    const flow = startFlow(layout, makeFlow(layout), "--quick");
    flow.write(first.document, unfinished(flow, first));
    const rounds: unknown[] = [];
    for (let i = 1; i <= 4; i++) {
      send(flow, "", by(first));
      for (let turn = 0; turn < 3; turn++) endWriter(flow, first, { agent_id: `agent-${i}` });
      const { context = "" } = giveBack(flow, "", by(first));
      rounds.push(/\(round \d of 3\)/.exec(context)?.[0] ?? /failed its check/.exec(context)?.[0]);
    }
    expect(rounds).toEqual([
      "(round 1 of 3)",
      "(round 2 of 3)",
      "(round 3 of 3)",
      "failed its check",
    ]);
    expect(flow.state()).toMatchObject({ phase: first.name });
  });

  it("is denied while the run is paused", () => {
    const flow = startFlow(layout, makeFlow(layout), "--quick");
    flow.run(["pause"]);
    expect(send(flow, "", by(first)).denied).toContain(`paused at phase ${first.name}`);
  });

  it("is denied after the run has stopped", () => {
    const flow = startFlow(layout, makeFlow(layout), "--quick");
    for (let i = 0; i < 4; i++) flow.stop();
    expect(flow.entries().at(-1)?.loop.told).toBe("exhausted");
    expect(send(flow, "", by(first)).denied).toMatch(/the run has stopped/);
  });

  it("that ends again has its document submitted once", () => {
    const flow = startFlow(layout);
    flow.write(first.document);
    for (let i = 0; i < 3; i++) endWriter(flow, first);
    expect(flow.entries().filter(({ event }) => event === "awaiting")).toHaveLength(1);
  });

  it.each([
    ["of another phase", { agent: second.agent }, true],
    ["of another session", { session_id: "session-2" }, true],
    ["that another agent started", { agent_id: "agent-9" }, false],
  ])("%s is left alone", (_, fields, isSilent) => {
    const flow = startFlow(layout);
    flow.write(first.document);
    const before = flow.entries().length;
    const { orders, denied } = send(flow, "Write it.", { ...by(first), ...fields });
    expect([orders, denied]).toEqual(["", undefined]);
    const { agent = first.agent, ...rest } = fields as { agent?: string };
    if (isSilent) expectSilence(endWriter(flow, { ...first, agent }, rest));
    expect(flow.entries()).toHaveLength(before);
    expect(flow.state()).not.toMatchObject({ awaitingApproval: true });
  });
});
