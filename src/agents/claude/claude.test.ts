import { readFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type AgentEvent, NO_TOKENS, type Outcome, type Work } from "../port.ts";
import { commandLine } from "./command-line.ts";
import { conclude } from "./conclude.ts";
import { NOTHING_HEARD, readLine } from "./read.ts";

interface Run {
  readonly outcome: Outcome;
  readonly events: readonly AgentEvent[];
}

function hear(lines: readonly string[], exit: Partial<Parameters<typeof conclude>[1]> = {}): Run {
  let state = NOTHING_HEARD;
  const events: AgentEvent[] = [];
  for (const line of lines) {
    const step = readLine(state, line);
    state = step.state;
    events.push(...step.events);
  }
  const outcome = conclude(state, { code: 1, signal: null, stderr: "", ...exit });
  return { outcome, events };
}

/** What the client printed with a scripted model. */
const recorded = (name: string): string[] =>
  readFileSync(join(import.meta.dirname, "recorded", `${name}.jsonl`), "utf8")
    .split("\n")
    .filter((line) => line !== "");

describe("a recorded run", () => {
  it.each<[name: string, ending: object]>([
    ["turn", { kind: "turn" }],
    ["recovered", { kind: "turn" }],
    ["warning", { kind: "turn" }],
    [
      "limit",
      {
        kind: "limit",
        resetsAt: "2026-11-16T09:59:26.000Z",
        text: "You've hit your 5-hour limit · resets 9:59am (UTC)",
      },
    ],
    ["billing", { kind: "limit", text: "Credit balance is too low" }],
    ["rate429", { kind: "busy", text: expect.stringContaining("429") }],
    ["busy529", { kind: "busy", text: expect.stringContaining("529") }],
    ["auth-key", { kind: "auth", text: "Invalid API key · Fix external API key" }],
    ["auth-oauth", { kind: "auth", text: expect.stringContaining("expired") }],
    ["nologin", { kind: "auth", text: "Not logged in · Please run /login" }],
    ["forbidden", { kind: "auth", text: expect.stringContaining("organization") }],
    ["nomodel", { kind: "auth", text: expect.stringContaining("model") }],
    ["too-long", { kind: "too-long", text: expect.stringMatching(/^Prompt is too long/) }],
    ["refused", { kind: "refused", text: expect.stringContaining("safeguards") }],
    ["max-tokens", { kind: "crashed", text: expect.stringContaining("output token maximum") }],
  ])("%s", (name, ending) => {
    expect(hear(recorded(name)).outcome.ending).toEqual(ending);
  });

  it("reports what happens, and counts a call once even though it comes in pieces", () => {
    const { outcome, events } = hear(recorded("turn"), { code: 0 });
    const kinds = "session text usage tool usage text usage";
    expect(events.map(({ kind }) => kind).join(" ")).toBe(kinds);
    expect(events[3]).toEqual({ kind: "tool", title: "Bash echo hello > greeting" });
    const inputs = events.flatMap((one) => (one.kind === "usage" ? one.usage.tokens.input : []));
    expect(inputs).toEqual([10, 10, 20]);
    expect(outcome.report).toBe("Done.\nTASK_COMPLETE");
    expect(outcome.usage).toEqual({
      tokens: { input: 20, cached: 0, output: 10 },
      usd: 0.00028000000000000003,
      model: "claude-opus-5-5",
      calls: 2,
    });
  });

  it("counts what is read from and written to the cache as input", () => {
    expect(hear(recorded("warning")).outcome.usage.tokens).toEqual({
      input: 1210,
      cached: 1000,
      output: 5,
    });
  });

  it("warns before a limit, and reports each retry", () => {
    expect(hear(recorded("warning")).events).toContainEqual({
      kind: "quota",
      resetsAt: "2026-11-16T10:07:23.000Z",
    });
    expect(hear(recorded("busy529")).events.filter(({ kind }) => kind === "retry")).toEqual([
      { kind: "retry", attempt: 1, of: 2, status: 529 },
      { kind: "retry", attempt: 2, of: 2, status: 529 },
    ]);
  });
});

describe("a run without a proper result", () => {
  it.each([0, 1, 4])(
    "killed after %d lines of a successful run: crashed, with what it used",
    (count) => {
      const { outcome } = hear(recorded("turn").slice(0, count), { code: null, signal: "SIGKILL" });
      expect(outcome.ending).toEqual({
        kind: "crashed",
        text: "it was killed by SIGKILL without a result",
      });
      expect(outcome.usage.tokens.input).toBe(count === 4 ? 10 : 0);
    },
  );

  it("exits with 0: still crashed, with what it said on standard error", () => {
    expect(hear([], { code: 0, stderr: "cannot read\nsettings" }).outcome.ending).toEqual({
      kind: "crashed",
      text: "it exited with 0 without a result: cannot read settings",
    });
  });

  it("dies after a rejection: a limit", () => {
    const { outcome } = hear(recorded("limit").slice(0, 2));
    expect(outcome.ending).toMatchObject({ kind: "limit", resetsAt: "2026-11-16T09:59:26.000Z" });
  });

  const result = (fields: object): string =>
    JSON.stringify({
      type: "result",
      subtype: "success",
      is_error: false,
      result: "Done",
      usage: { input_tokens: 1, output_tokens: 1 },
      ...fields,
    });

  it.each<[what: string, fields: object, kind: string]>([
    ["nothing else", {}, "turn"],
    ["no usage", { usage: undefined }, "crashed"],
    ["a usage of zero", { usage: { input_tokens: 0, output_tokens: 0 } }, "crashed"],
    ["an error", { is_error: true }, "crashed"],
    ["an error during the work", { subtype: "error_during_execution" }, "crashed"],
    ["a status from the service", { is_error: true, api_error_status: 503 }, "busy"],
    ["the limit, by name", { is_error: true, api_error: "usage_limit_reached" }, "limit"],
    ["a number for a text", { result: 5 }, "turn"],
  ])("with %s", (_, fields, kind) => {
    expect(hear([result(fields)]).outcome.ending.kind).toBe(kind);
  });
});

it("accepts any line, with anything in any field", () => {
  const keys = ["type", "subtype", "message", "rate_limit_info", "result", "usage", "modelUsage"];
  const types = fc.constantFrom("system", "assistant", "result", "rate_limit_event", "user");
  const odd = fc
    .record({ type: types })
    .chain((known) =>
      fc
        .dictionary(fc.constantFrom(...keys, "content", "id", "resetsAt", "status"), fc.jsonValue())
        .map((fields) => JSON.stringify({ ...fields, ...known })),
    );
  fc.assert(
    fc.property(fc.array(fc.oneof(fc.string(), odd)), (lines) => {
      const { outcome } = hear(lines);
      expect(outcome.usage.tokens).toEqual({
        input: expect.any(Number),
        cached: expect.any(Number),
        output: expect.any(Number),
      });
    }),
  );
  expect(hear([]).outcome.usage.tokens).toEqual(NO_TOKENS);
});

it("a tool's title is a single line without terminal escapes", () => {
  const input = { command: "echo \u001b[31m\nrm -rf x" };
  const content = [{ type: "tool_use", name: "Bash", input }];
  const line = JSON.stringify({ type: "assistant", message: { id: "a", content } });
  expect(hear([line]).events[0]).toEqual({ kind: "tool", title: "Bash echo [31m rm -rf x" });
});

it.each([
  ["Write", { file_path: "/project/a", content: "" }, ["/project/a"]],
  ["Edit", { file_path: "/project/a" }, ["/project/a"]],
  ["NotebookEdit", { notebook_path: "/project/a.ipynb" }, ["/project/a.ipynb"]],
  ["Read", { file_path: "/project/a" }, []],
  ["Bash", { command: "echo > a" }, []],
])("the files that %s changes", (name, input, files) => {
  const content = [{ type: "tool_use", name, input }];
  const line = JSON.stringify({ type: "assistant", message: { id: "a", content } });
  const { events } = hear([line]);
  expect(events.flatMap((one) => (one.kind === "edited" ? one.files : []))).toEqual(files);
});

describe("the command line", () => {
  const work = (given: Partial<Work> = {}): Work => ({
    cwd: "/",
    env: {},
    prompt: "Do it",
    instructions: "You are one",
    writable: [],
    limits: { wallMs: 1, silentMs: 1, graceMs: 1 },
    record: () => undefined,
    ...given,
  });

  it("has the role and the model; the prompt is on standard input, where others cannot read it", () => {
    const { command, input } = commandLine(work({ model: "opus" }), false);
    expect(command.slice(-4)).toEqual(["--model", "opus", "--append-system-prompt", "You are one"]);
    expect(command).toContain("--dangerously-skip-permissions");
    expect(input).toBe("Do it");
    expect(command.join(" ")).not.toContain("Do it");
  });

  it("puts a role that is too long for an argument before the prompt", () => {
    const { command, input } = commandLine(work({ instructions: "x".repeat(200_000) }), false);
    expect(command.join(" ").length).toBeLessThan(1000);
    expect(input).toMatch(/^x{200000}\n\nDo it$/);
  });

  it("says that it is a sandbox only where the client would refuse otherwise", () => {
    expect(commandLine(work(), true).env).toHaveProperty("IS_SANDBOX", "1");
    expect(commandLine(work(), false).env).not.toHaveProperty("IS_SANDBOX");
  });

  it("keeps what the user has set", () => {
    const { env } = commandLine(work({ env: { CLAUDE_CODE_MAX_RETRIES: "7" } }), false);
    expect(env).not.toHaveProperty("CLAUDE_CODE_MAX_RETRIES");
    expect(env).toHaveProperty("CLAUDE_CODE_DISABLE_BACKGROUND_TASKS", "1");
  });
});
