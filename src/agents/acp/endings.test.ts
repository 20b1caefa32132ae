import { describe, expect, it } from "vitest";
import {
  END,
  type Given,
  runFake as run,
  type Script,
  tool,
  turn,
} from "../../../test/support/fake-acp.ts";
import type { Work } from "../port.ts";
import { acpAgent } from "./agent.ts";

const limits = (own: Partial<Work["limits"]>): Given => ({
  work: { limits: { wallMs: 60_000, silentMs: 60_000, graceMs: 300, ...own } },
});

describe("what is not the end of a turn", () => {
  it.each<[string, Script, object]>([
    ["an end without a message, a tool call or a token", turn(END), { kind: "crashed" }],
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
      "an end after trouble that it reported on the way",
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
    [
      "a cancel that nobody asked for",
      turn({ answer: { stopReason: "cancelled" } }),
      { kind: "crashed" },
    ],
    ["an unknown reason", turn({ answer: { stopReason: "bored" } }), { kind: "crashed" }],
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
    [
      "another version of the protocol",
      { initialize: [{ answer: { protocolVersion: 2 } }] },
      { kind: "crashed", text: "it speaks version 2 of the protocol; we speak 1" },
    ],
    ["an exit at the start", { initialize: [{ exit: 1 }] }, { kind: "crashed" }],
    ["a context that is shortened forever", turn({ rounds: 30 }), { kind: "too-long" }],
  ])("%s", async (_, script, ending) => {
    const ran = await run(script);
    expect(ran.ending).toMatchObject(ending);
    expect(ran.left).toBe(0);
  });

  it("is an agent that is not installed", async () => {
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

  it("ends an agent that ignores it", async () => {
    const user = new AbortController();
    const { ending, left } = await run(
      { deaf: true, ...turn({ child: true }, { say: "I begin." }, tool({})) },
      { stop: user.signal, on: ({ kind }) => kind === "text" && user.abort("budget") },
    );
    expect({ ending, left }).toEqual({ ending: { kind: "stopped", by: "budget" }, left: 0 });
  });

  it("by the budget, once it has answered, leaves its turn", async () => {
    const user = new AbortController();
    const { ending } = await run(
      turn({ say: "Done." }, { answer: { stopReason: "end_turn", usage: { inputTokens: 5 } } }),
      { stop: user.signal, on: ({ kind }) => kind === "usage" && user.abort("budget") },
    );
    expect(ending).toEqual({ kind: "turn" });
  });

  it("comes from silence, despite a heartbeat", async () => {
    const running = { sessionUpdate: "tool_call_update", toolCallId: "t1", status: "in_progress" };
    const beat = { beat: 20, tool: running };
    const script = turn(tool({ status: "in_progress" }), { complain: "still here" }, beat);
    const { ending } = await run(script, limits({ silentMs: 3000 }));
    expect(ending).toEqual({ kind: "stopped", by: "silence" });
  });

  it("from silence means a busy service if the model never said a word", async () => {
    const { ending } = await run(turn({ beat: 20 }), limits({ silentMs: 3000 }));
    expect(ending).toMatchObject({ kind: "busy" });
  });

  it("comes when time is up, even if the first request was never answered", async () => {
    const { ending, left } = await run({ initialize: [] }, limits({ wallMs: 1500 }));
    expect({ kind: ending.kind, left }).toEqual({ kind: "crashed", left: 0 });
  });
});
