import { resolve } from "node:path";
import { expect, it } from "vitest";
import { runFake } from "../../../test/support/fake-acp.ts";
import { GEMINI, OPENCODE, type Quirks, QWEN } from "./quirks.ts";

const QUIRKS: Readonly<Record<string, Quirks>> = { gemini: GEMINI, qwen: QWEN, opencode: OPENCODE };

/** What real agents said with a scripted model: two calls, each with 1234 tokens in and 56 out. */
const turn = { ending: { kind: "turn" }, report: "Done.\n\nTASK_COMPLETE" };

it.each<[name: string, outcome: object, tools?: readonly string[]]>([
  [
    "gemini-turn",
    {
      ...turn,
      usage: { tokens: { input: 2468, cached: 0, output: 112 }, model: "gemini-2.5-flash" },
    },
    ["echo hello > out.txt"],
  ],
  // Without the mode that does not ask: its question is the only report of the command.
  ["asked-by-gemini", turn, ["echo hello > out.txt"]],
  [
    "gemini-limit",
    {
      ending: { kind: "limit", text: "You have exhausted your daily quota on this model." },
      report: "",
    },
  ],
  ["gemini-auth", { ending: { kind: "auth" } }],
  ["gemini-too-long", { ending: { kind: "too-long" } }],
  [
    "qwen-turn",
    { ...turn, usage: { tokens: { input: 2468, cached: 2000, output: 112 }, calls: 2 } },
    ["Shell: echo hello > out.txt (work)"],
  ],
  ["qwen-limit", { ending: { kind: "limit", text: "403 Quota exceeded for quota metric" } }],
  ["qwen-auth", { ending: { kind: "auth", text: "401 Incorrect API key provided" } }],
  ["qwen-too-long", { ending: { kind: "too-long" } }],
  [
    "qwen-nothing",
    { ending: { kind: "crashed", text: "Model stream ended with empty response text." } },
  ],
  [
    "opencode-turn",
    // It reports the tokens of the last call only, but the cost of all calls.
    { ...turn, usage: { tokens: { input: 1234, cached: 1000, output: 56 }, usd: 0.003684 } },
    ["echo hello > out.txt"],
  ],
  ["opencode-auth", { ending: { kind: "auth" } }],
  ["opencode-busy", { ending: { kind: "busy", text: "Internal error: Rate limited" } }],
  ["opencode-round", { ending: { kind: "too-long" } }],
])("%s", async (name, outcome, tools = []) => {
  const replay = resolve(import.meta.dirname, "recorded", `${name}.jsonl`);
  const quirks = QUIRKS[name.replace(/-.*/, "")] ?? {};
  const { events, left, ...ran } = await runFake({ replay }, { quirks });
  expect(ran).toMatchObject(outcome);
  expect(events.flatMap((event) => (event.kind === "tool" ? [event.title] : []))).toEqual(tools);
  expect(left).toBe(0);
});
