import { resolve } from "node:path";
import { acpAgent } from "../../src/agents/acp/agent.ts";
import type { Quirks } from "../../src/agents/acp/quirks.ts";
import type { Agent, AgentEvent, Outcome, Work } from "../../src/agents/port.ts";
import { listProcesses } from "../../src/agents/process/processes.ts";
import { ATTEMPT_MARK, pickMarked } from "../../src/agents/process/sweep.ts";

const FAKE = resolve("test/support/acp-agent.mjs");

/** What the fake does at each method; see `acp-agent.mjs`. */
export type Script = Readonly<Record<string, unknown>>;

export interface Given {
  readonly work?: Partial<Work>;
  readonly quirks?: Quirks;
  readonly stop?: AbortSignal;
  readonly on?: (event: AgentEvent) => void;
}

export interface Ran extends Outcome {
  readonly events: readonly AgentEvent[];
  readonly record: readonly string[];
  readonly left: number;
}

let attempts = 0;

export const fake = (script: Script, quirks: Quirks = {}): Agent =>
  acpAgent({
    id: "fake",
    name: "Fake",
    command: [process.execPath, FAKE, JSON.stringify(script)],
    quirks,
  });

/** Runs the fake with the real driver. */
export async function runFake(script: Script, given: Given = {}): Promise<Ran> {
  const mark = `acp-${process.pid}/${++attempts}`;
  const events: AgentEvent[] = [];
  const record: string[] = [];
  const work: Work = {
    cwd: process.cwd(),
    prompt: "Do task 1.1.",
    instructions: "You are an executor.",
    writable: [],
    limits: { wallMs: 60_000, silentMs: 60_000, graceMs: 300 },
    record: (line) => record.push(line),
    ...given.work,
    env: { PATH: process.env["PATH"] ?? "", [ATTEMPT_MARK]: mark },
  };
  const on = (event: AgentEvent): void => {
    events.push(event);
    given.on?.(event);
  };
  const stop = given.stop ?? new AbortController().signal;
  const outcome = await fake(script, given.quirks).run(work, on, stop);
  const left = pickMarked(listProcesses(`${ATTEMPT_MARK}=${mark}`), process.pid).length;
  return { ...outcome, events, record, left };
}

/** Steps of the turn. */
export const turn = (...steps: object[]): Script => ({ "session/prompt": steps });
export const END = { answer: { stopReason: "end_turn" } };
export const tool = (fields: object): object => ({
  update: { sessionUpdate: "tool_call", toolCallId: "t1", title: "ls", ...fields },
});
