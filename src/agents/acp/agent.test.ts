import { resolve } from "node:path";
import { describe, expect, it } from "vitest";
import type { AgentEvent, Outcome, Work } from "../port.ts";
import { listProcesses } from "../process/processes.ts";
import { ATTEMPT_MARK, pickMarked } from "../process/sweep.ts";
import { acpAgent } from "./agent.ts";
import type { Quirks } from "./quirks.ts";

const FAKE = resolve("test/support/acp-agent.mjs");

/** What the fake does at each method; see there. */
type Script = Readonly<Record<string, unknown>>;

interface Given {
  readonly work?: Partial<Work>;
  readonly quirks?: Quirks;
  readonly stop?: AbortSignal;
  readonly on?: (event: AgentEvent) => void;
}

interface Ran extends Outcome {
  readonly events: readonly AgentEvent[];
  readonly record: readonly string[];
  readonly left: number;
}

let attempts = 0;

const fake = (script: Script, quirks: Quirks = {}) =>
  acpAgent({
    id: "fake",
    name: "Fake",
    command: [process.execPath, FAKE, JSON.stringify(script)],
    quirks,
  });

async function run(script: Script, given: Given = {}): Promise<Ran> {
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
const turn = (...steps: object[]): Script => ({ "session/prompt": steps });
const END = { answer: { stopReason: "end_turn" } };
const spent = { inputTokens: 10, outputTokens: 5, totalTokens: 15 };
const tool = (fields: object): object => ({
  update: { sessionUpdate: "tool_call", toolCallId: "t1", title: "ls", ...fields },
});
const limits = (own: Partial<Work["limits"]>): Given => ({
  work: { limits: { wallMs: 60_000, silentMs: 60_000, graceMs: 300, ...own } },
});

describe("a turn", () => {
  it("is told as it goes, and its last message is the report", async () => {
    const { ending, report, events, usage, left } = await run(
      turn(
        { say: "I look" },
        { say: " around." },
        tool({ status: "pending", title: "Shell" }),
        tool({ sessionUpdate: "tool_call_update", status: "in_progress", title: "ls -a" }),
        tool({ sessionUpdate: "tool_call_update", status: "completed" }),
        { say: "Done.\n\nTASK_COMPLETE" },
        { answer: { stopReason: "end_turn", usage: spent } },
      ),
    );
    expect({ ending, report, left }).toEqual({
      ending: { kind: "turn" },
      report: "Done.\n\nTASK_COMPLETE",
      left: 0,
    });
    expect(usage.tokens).toEqual({ input: 10, cached: 0, output: 5 });
    expect(events).toEqual([
      { kind: "session", id: "s1" },
      { kind: "text", text: "I look around." },
      { kind: "tool", title: "ls -a" },
      { kind: "text", text: "Done.\n\nTASK_COMPLETE" },
      { kind: "usage", usage },
    ]);
  });

  it("has the role before the prompt, unless the agent hears a system prompt", async () => {
    const { report } = await run(turn({ echo: true }, END));
    expect(JSON.parse(report).prompt[0].text).toBe("You are an executor.\n\n---\n\nDo task 1.1.");
    const script = {
      ...turn({ echo: true }, END),
      "session/new": [{ echo: true }, { answer: { sessionId: "s1" } }],
    };
    const told = await run(script, { quirks: { hearsSystemPrompt: true } });
    const [asked = "", prompted = ""] = told.report.split("}{");
    expect(asked).toContain(
      '"mode":"append","content":[{"type":"text","text":"You are an executor."}]',
    );
    expect(prompted).not.toContain("executor");
  });

  it("is recorded as it was printed, and survives what is not of the protocol", async () => {
    const { ending, record, report } = await run(
      turn(
        { print: "Welcome!\n{broken\n[1,2]\nnull\n\n" },
        { long: 11 << 20 },
        { note: "_fake/unknown" },
        { update: { sessionUpdate: "not_invented_yet", x: 1 } },
        { update: null },
        { print: '{"jsonrpc":"2.0","id":77,"result":{}}\n{"jsonrpc":"2.0"}\n{"id":1}\n' },
        { ask: "fs/read_text_file", with: { path: "/etc/passwd" } },
        END,
      ),
    );
    expect({ ending, report }).toEqual({ ending: { kind: "turn" }, report: "-32601" });
    expect(record).toContain("{broken");
    expect(record.some((line) => line.length > 10_000_000)).toBe(true);
  });
});

describe("a question whether it may use a tool", () => {
  const option = (optionId: string, kind: string): object => ({ optionId, name: optionId, kind });
  const asked = async (...options: object[]): Promise<Ran> =>
    run(
      turn(
        {
          ask: "session/request_permission",
          with: {
            options,
            toolCall: { toolCallId: "t1", title: "rm -r build", status: "pending" },
          },
        },
        END,
      ),
    );

  it.each([
    [
      "no",
      [option("no", "reject_once"), option("ever", "allow_always"), option("yes", "allow_once")],
      "yes",
    ],
    ["for ever only", [option("no", "reject_once"), option("ever", "allow_always")], "ever"],
    ["nothing but no", [option("never", "reject_always"), option("no", "reject_once")], "no"],
  ])("is answered by kind: the first is %s", async (_, options, choice) => {
    const { report, events } = await asked(...options);
    expect(JSON.parse(report)).toEqual({ outcome: { outcome: "selected", optionId: choice } });
    expect(events).toContainEqual({ kind: "tool", title: "rm -r build" });
  });

  it("is declined if nothing in it can be understood", async () => {
    const { report } = await asked(option("x", "allow_for_this_file"), { name: "no id" });
    expect(JSON.parse(report)).toEqual({ outcome: { outcome: "cancelled" } });
  });
});

describe("what is not the end of a turn", () => {
  it.each<[string, Script, object]>([
    ["an end without a word, a tool or a token", turn(END), { kind: "crashed" }],
    [
      "an end with an error for a message",
      turn({ say: "Error: 429 Too Many Requests" }, END),
      { kind: "busy" },
    ],
    [
      "an end with an error after work",
      turn(tool({ status: "completed" }), { say: "Error: You have exceeded your quota" }, END),
      { kind: "limit" },
    ],
    [
      "an end after trouble that it told of on the way",
      turn(
        {
          update: {
            sessionUpdate: "session_info_update",
            _meta: { codex: { error: { message: "Reconnecting 1/5", httpStatusCode: 503 } } },
          },
        },
        { answer: { stopReason: "end_turn", usage: null } },
      ),
      { kind: "busy", text: "503 Reconnecting 1/5" },
    ],
    [
      "a refusal",
      turn({ say: "I will not." }, { answer: { stopReason: "refusal" } }),
      { kind: "refused", text: "I will not." },
    ],
    ["too many tokens", turn({ answer: { stopReason: "max_tokens" } }), { kind: "too-long" }],
    ["too many calls", turn({ answer: { stopReason: "max_turn_requests" } }), { kind: "too-long" }],
    ["a cancel of its own", turn({ answer: { stopReason: "cancelled" } }), { kind: "crashed" }],
    ["a reason from the future", turn({ answer: { stopReason: "bored" } }), { kind: "crashed" }],
    ["no reason", turn({ answer: null }), { kind: "crashed" }],
    [
      "an error",
      turn({ error: { code: 429, message: "You have exhausted your daily quota on this model." } }),
      { kind: "limit" },
    ],
    [
      "an exit",
      turn({ complain: "out of memory" }, { exit: 3 }),
      {
        kind: "crashed",
        text: "it ended with exit code 3 in the middle of its turn: out of memory",
      },
    ],
    [
      "a kill",
      turn({ die: true }),
      { kind: "crashed", text: "it ended by SIGKILL in the middle of its turn" },
    ],
    [
      "a session that needs a login",
      { "session/new": [{ error: { code: -32000, message: "Authentication required" } }] },
      { kind: "auth", text: "Authentication required" },
    ],
    ["an exit at the start", { initialize: [{ exit: 1 }] }, { kind: "crashed" }],
    ["a context that is shortened for ever", turn({ rounds: 30 }), { kind: "too-long" }],
  ])("%s", async (_, script, ending) => {
    const ran = await run(script);
    expect(ran.ending).toMatchObject(ending);
    expect(ran.left).toBe(0);
  });

  it("is an agent that is not there", async () => {
    const agent = acpAgent({ id: "x", name: "X", command: ["no-such-agent"] });
    const { ending } = await agent.run(
      {
        cwd: "/",
        env: { PATH: "/nowhere" },
        prompt: "",
        instructions: "",
        writable: [],
        limits: { wallMs: 9000, silentMs: 9000, graceMs: 100 },
        record: () => undefined,
      },
      () => undefined,
      new AbortController().signal,
    );
    expect(ending).toEqual({
      kind: "crashed",
      text: "it did not start: no-such-agent is not on the PATH",
    });
  });
});

describe("a stop", () => {
  it("by the user cancels the turn, and nothing is left", async () => {
    const user = new AbortController();
    const { ending, record, left } = await run(
      turn({ child: true }, { say: "I begin." }, tool({})),
      {
        stop: user.signal,
        on: ({ kind }) => kind === "text" && user.abort("user"),
      },
    );
    expect({ ending, left }).toEqual({ ending: { kind: "stopped", by: "user" }, left: 0 });
    expect(record.join()).toContain('"stopReason":"cancelled"');
  });

  it("ends an agent that hears nothing of it", async () => {
    const user = new AbortController();
    const { ending, left } = await run(
      { deaf: true, ...turn({ child: true }, { say: "I begin." }, tool({})) },
      { stop: user.signal, on: ({ kind }) => kind === "text" && user.abort("budget") },
    );
    expect({ ending, left }).toEqual({ ending: { kind: "stopped", by: "budget" }, left: 0 });
  });

  it("comes from silence, in spite of a heartbeat", async () => {
    const script = turn(tool({ status: "in_progress" }), { complain: "still here" }, { beat: 20 });
    const { ending } = await run(script, limits({ silentMs: 3000 }));
    expect(ending).toEqual({ kind: "stopped", by: "silence" });
  });

  it("from silence means a busy service if the model never said a word", async () => {
    const { ending } = await run(turn({ beat: 20 }), limits({ silentMs: 3000 }));
    expect(ending).toMatchObject({ kind: "busy" });
  });

  it("comes when the time is over, even if nobody has answered the first request", async () => {
    const { ending, left } = await run({ initialize: [] }, limits({ wallMs: 1500 }));
    expect({ kind: ending.kind, left }).toEqual({ kind: "crashed", left: 0 });
  });
});

describe("before the turn", () => {
  const modes = { currentModeId: "ask", availableModes: [{ id: "yolo", name: "YOLO" }] };
  const session = (fields: object): Script => ({
    "session/new": [{ answer: { sessionId: "s1", ...fields } }],
  });

  it("sets the mode that asks nothing, where there is one", async () => {
    const script = {
      ...session({ modes }),
      "session/set_mode": [{ echo: true }, { answer: {} }],
      ...turn(END),
    };
    const { report } = await run(script, { quirks: { mode: "yolo" } });
    expect(JSON.parse(report)).toEqual({ sessionId: "s1", modeId: "yolo" });
    const without = await run(
      { ...script, ...session({}), ...turn({ say: "Hi." }, END) },
      { quirks: { mode: "yolo" } },
    );
    expect(without.report).toBe("Hi.");
  });

  it("goes on if the mode cannot be had", async () => {
    const refused = [{ error: { code: -32602, message: "Mode yolo is not available" } }];
    const script = {
      ...session({ modes }),
      "session/set_mode": refused,
      ...turn({ say: "Hi." }, END),
    };
    expect(await run(script, { quirks: { mode: "yolo" } })).toMatchObject({
      ending: { kind: "turn" },
    });
  });

  it.each([
    [
      "an option",
      {
        configOptions: [
          {
            id: "m",
            name: "Model",
            category: "model",
            type: "select",
            currentValue: "a",
            options: [],
          },
        ],
      },
      "session/set_config_option",
      { sessionId: "s1", configId: "m", value: "big" },
    ],
    [
      "a list",
      { models: { availableModels: [] } },
      "session/set_model",
      { sessionId: "s1", modelId: "big" },
    ],
  ])("chooses the model by %s", async (_, fields, method, expected) => {
    const script = { ...session(fields), [method]: [{ echo: true }, { answer: {} }], ...turn(END) };
    const { report } = await run(script, { work: { model: "big" } });
    expect(JSON.parse(report)).toEqual(expected);
    const refused = { ...script, [method]: [{ error: { code: -32602, message: "unknown" } }] };
    expect((await run(refused, { work: { model: "big" } })).ending).toEqual({
      kind: "crashed",
      text: "it does not take the model big: unknown",
    });
  });

  it("does not work with another model than the one that was asked for", async () => {
    const { ending } = await run(turn({ say: "Hi." }, END), { work: { model: "big" } });
    expect(ending).toMatchObject({
      kind: "crashed",
      text: expect.stringContaining("choose it in"),
    });
  });
});

describe("a probe", () => {
  const place = { cwd: "/", env: { PATH: process.env["PATH"] ?? "" } };

  it("asks for the version, and for nothing else", async () => {
    const script = { "session/new": [{ die: true }], "session/prompt": [{ die: true }] };
    expect(await fake(script).probe(place)).toEqual({ installed: true, version: "1.2.3" });
  });

  it("says what is wrong", async () => {
    expect(await acpAgent({ id: "x", name: "X", command: ["no-such-agent"] }).probe(place)).toEqual(
      {
        installed: false,
        why: "no-such-agent is not on the PATH",
      },
    );
    const gone = await fake({
      initialize: [{ complain: "unknown flag --acp" }, { exit: 1 }],
    }).probe(place);
    expect(gone).toMatchObject({
      installed: true,
      why: expect.stringContaining("unknown flag --acp"),
    });
  });
});
