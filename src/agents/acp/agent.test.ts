import { describe, expect, it, vi } from "vitest";
import {
  END,
  fake,
  runFake as run,
  type Ran,
  type Script,
  tool,
  turn,
} from "../../../test/support/fake-acp.ts";
import { acpAgent } from "./agent.ts";
import type { Quirks } from "./quirks.ts";

const spent = { inputTokens: 10, outputTokens: 5, totalTokens: 15 };

describe("a turn", () => {
  it("is reported as it goes, and its last message is the report", async () => {
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

  it("puts the role before the prompt, unless the agent uses a system prompt", async () => {
    const script = turn(
      { recall: "session/new" },
      { say: "\n" },
      { recall: "session/prompt" },
      END,
    );
    const textsOf = async (quirks: Quirks): Promise<readonly unknown[]> => {
      const { report } = await run(script, { quirks });
      const [session, turned] = report.split("\n").map((line) => JSON.parse(line));
      return [session.systemPrompt, turned.prompt[0].text];
    };
    expect(await textsOf({})).toEqual([undefined, "You are an executor.\n\n---\n\nDo task 1.1."]);
    expect(await textsOf({ hearsSystemPrompt: true })).toEqual([
      { mode: "append", content: [{ type: "text", text: "You are an executor." }] },
      "Do task 1.1.",
    ]);
  });

  it("is ended after an internal error", async () => {
    const { ending, left } = await run(turn({ say: "Hi." }, tool({ status: "completed" })), {
      on: ({ kind }) => {
        if (kind === "tool") throw new Error("no room on the disk");
      },
    });
    expect({ ending, left }).toEqual({
      ending: { kind: "crashed", text: "internal error: no room on the disk" },
      left: 0,
    });
  });

  it("is recorded as it was printed, and survives lines that are not ACP", async () => {
    const complained = vi.spyOn(console, "error");
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
    // It would end up in the middle of the live view.
    expect(complained).not.toHaveBeenCalled();
    complained.mockRestore();
    expect(record).toContain("{broken");
    expect(record.some((line) => line.length > 10_000_000)).toBe(true);
  });
});

describe("a permission request", () => {
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
    ["only forever", [option("no", "reject_once"), option("ever", "allow_always")], "ever"],
    ["nothing but no", [option("never", "reject_always"), option("no", "reject_once")], "no"],
  ])("is answered by kind: the first is %s", async (_, options, choice) => {
    const { report, events } = await asked(...options);
    expect(JSON.parse(report)).toEqual({ outcome: { outcome: "selected", optionId: choice } });
    expect(events).toContainEqual({ kind: "tool", title: "rm -r build" });
  });

  it("is cancelled if it has no usable option", async () => {
    const { report } = await asked(option("x", "allow_for_this_file"), { name: "no id" });
    expect(JSON.parse(report)).toEqual({ outcome: { outcome: "cancelled" } });
  });
});

describe("before the turn", () => {
  const modes = { currentModeId: "ask", availableModes: [{ id: "yolo", name: "YOLO" }] };
  const session = (fields: object): Script => ({
    "session/new": [{ answer: { sessionId: "s1", ...fields } }],
  });

  it("sets the mode that does not ask, if there is one, and ignores messages until the turn", async () => {
    const recall = turn({ recall: "session/set_mode" }, END);
    const told = { "session/set_mode": [{ say: "[MODE_UPDATE] yolo" }, { answer: {} }] };
    const quirks = { mode: "yolo" };
    const { report } = await run({ ...session({ modes }), ...told, ...recall }, { quirks });
    expect(JSON.parse(report)).toEqual({ sessionId: "s1", modeId: "yolo" });
    const without = await run(turn({ say: "Hi." }, END), { quirks });
    expect(without.report).toBe("Hi.");
  });

  it("continues if the mode is not available", async () => {
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
    const script = { ...session(fields), ...turn({ recall: method }, END) };
    const { report } = await run(script, { work: { model: "big" } });
    expect(JSON.parse(report)).toEqual(expected);
    const refused = { ...script, [method]: [{ error: { code: -32602, message: "unknown" } }] };
    expect((await run(refused, { work: { model: "big" } })).ending).toEqual({
      kind: "crashed",
      text: "it does not accept the model big: unknown",
    });
  });

  it("does not start with another model than the one that was asked for", async () => {
    const { ending } = await run(turn({ say: "Hi." }, END), { work: { model: "big" } });
    expect(ending).toMatchObject({
      kind: "crashed",
      text: expect.stringContaining("set it in"),
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
