import { existsSync, mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { expectOutcome } from "../../../test/support/any-lines.ts";
import { recordedRun } from "../../../test/support/recorded.ts";
import { type AgentEvent, NO_TOKENS, type Outcome, type Work } from "../port.ts";
import { commandLine } from "./command-line.ts";
import { conclude } from "./conclude.ts";
import { beginHeard, readLine } from "./read.ts";
import { parseUsage, planUsageFile, takeUsageFile } from "./usage-file.ts";

interface Run {
  readonly outcome: Outcome;
  readonly events: readonly AgentEvent[];
}

const NOW = new Date("2026-11-16T08:55:40.000Z");

function hear(lines: readonly string[], exit: Partial<Parameters<typeof conclude>[1]> = {}): Run {
  let state = beginHeard(400);
  const events: AgentEvent[] = [];
  for (const line of lines) {
    const step = readLine(state, line);
    state = step.state;
    events.push(...step.events);
  }
  const outcome = conclude(state, { code: 1, signal: null, stderr: "", ...exit }, NOW);
  return { outcome, events };
}

/** What the client printed with a scripted model. */
const recorded = recordedRun(import.meta.dirname);

const says = (text: string): unknown => expect.stringContaining(text);

describe("a recorded run", () => {
  it.each<[name: string, ending: object]>([
    ["turn", { kind: "turn" }],
    ["recovered", { kind: "turn" }],
    ["quota402", { kind: "limit", text: "402 You have no quota" }],
    ["quota429", { kind: "limit", text: says("premium request allowance") }],
    ["weekly", { kind: "limit", text: says("weekly rate limit") }],
    [
      "rate-far",
      { kind: "limit", resetsAt: "2026-11-16T10:58:40.000Z", text: says("2 hours 3 minutes") },
    ],
    ["busy503", { kind: "busy", text: says("503 overloaded") }],
    ["busy500", { kind: "busy", text: says("500 boom") }],
    ["unreachable", { kind: "busy", text: says("Could not connect") }],
    ["auth401", { kind: "auth", text: says("HTTP 401") }],
    ["forbidden", { kind: "auth", text: says("HTTP 403") }],
    ["nomodel", { kind: "auth", text: says("Model 'scripted' not found") }],
    ["too-long", { kind: "too-long", text: says("maximum context length") }],
    ["too-long-413", { kind: "too-long", text: says("too long") }],
    ["malformed", { kind: "crashed", text: "400 Your input is malformed" }],
    ["empty", { kind: "crashed", text: says("No response was returned") }],
  ])("%s", (name, ending) => {
    expect(hear(recorded(name)).outcome.ending).toEqual(ending);
  });

  it("reports what it did", () => {
    const { outcome, events } = hear(recorded("turn"), { code: 0 });
    expect(outcome).toMatchObject({
      report: "Done.\nTASK_COMPLETE",
      usage: { calls: 3, model: "scripted" },
    });
    expect(events.filter(({ kind }) => kind !== "usage")).toEqual([
      { kind: "text", text: "I look." },
      { kind: "tool", title: "bash echo x > a.txt; git add -A; git commit -qm x" },
      { kind: "tool", title: "create /project/b.txt" },
      { kind: "edited", files: ["/project/b.txt"] },
      { kind: "text", text: "Done.\nTASK_COMPLETE" },
      { kind: "session", id: expect.stringMatching(/^[\da-f-]{36}$/) },
    ]);
  });

  it("is estimated while it works: the size of its context, once for every call", () => {
    const { events, outcome } = hear(recorded("turn"));
    const sums = events.flatMap((one) => (one.kind === "usage" ? [one.usage.tokens.input] : []));
    expect(sums[0]).toBe(6100);
    expect(sums.toSorted((one, other) => one - other)).toEqual(sums);
    const contexts = recorded("turn").flatMap(
      (line) => /"context_current_tokens":(\d+)/.exec(line)?.[1] ?? [],
    );
    expect(outcome.usage.tokens.input).toBeGreaterThan(6100 + Number(contexts[0]));
  });

  it("reports that it retries", () => {
    const retries = (name: string): AgentEvent[] =>
      hear(recorded(name)).events.filter(({ kind }) => kind === "retry");
    expect(retries("busy503")).toHaveLength(5);
    expect(retries("busy503")[1]).toEqual({ kind: "retry", attempt: 2, status: 503 });
    expect(retries("unreachable")[0]).toEqual({ kind: "retry", attempt: 1 });
    expect(retries("recovered")).toEqual([{ kind: "retry", attempt: 1, status: 503 }]);
  });
});

describe("no turn", () => {
  const result = (exitCode: unknown): string => JSON.stringify({ type: "result", exitCode });
  const call = JSON.stringify({ type: "model.call_finished", data: { outcome: "success" } });
  const error = (data: object): string => JSON.stringify({ type: "session.error", data });

  it("ends without a result", () => {
    expect(hear([], { code: null, signal: "SIGSEGV", stderr: "dumped" }).outcome).toEqual({
      ending: { kind: "crashed", text: "it was killed by SIGSEGV without a result: dumped" },
      report: "",
      usage: { tokens: NO_TOKENS, calls: 0 },
    });
  });

  it("a result that failed, or for which the model was not called", () => {
    const endingOf = (...lines: string[]): unknown => hear(lines, { code: 0 }).outcome.ending;
    expect(endingOf(call, result(0))).toEqual({ kind: "turn" });
    const odd = { kind: "crashed", text: "it ended with no exit code" };
    expect(endingOf(call, result({ toString: 1, valueOf: 1 }))).toEqual(odd);
    expect(endingOf(call, result(1))).toMatchObject({ kind: "crashed" });
    expect(endingOf(call, result(undefined))).toMatchObject({ kind: "crashed" });
    expect(endingOf(result(0))).toMatchObject({ kind: "crashed" });
    expect(endingOf(call, error({ message: "Error: no" }), result(0))).toMatchObject({
      kind: "crashed",
    });
  });

  it("dies while it retries: the reason is the one that it gave", () => {
    const lines = recorded("busy503");
    const retried = lines.findIndex((line) => line.includes('"assistant.turn_retry"'));
    const { ending } = hear(lines.slice(0, retried + 1), { code: null, signal: "SIGKILL" }).outcome;
    expect(ending).toMatchObject({ kind: "busy" });
    const later = hear(recorded("recovered").slice(0, -1), { code: null, signal: "SIGKILL" });
    expect(later.outcome.ending).toMatchObject({ kind: "crashed" });
  });

  // In the words of GitHub's own service, which a scripted model cannot imitate.
  it.each([
    [{ errorType: "quota", errorCode: "quota_exceeded", message: "No credits left." }, "limit"],
    [{ errorType: "rate_limit", errorCode: "user_weekly_rate_limited", message: "x" }, "limit"],
    [{ errorType: "rate_limit", message: "You've hit your session rate limit." }, "limit"],
    [{ errorType: "rate_limit", errorCode: "rate_limited", message: "Slow down." }, "busy"],
    [{ errorType: "rate_limit", message: "Try again in 30 seconds" }, "busy"],
    [{ errorType: "context_limit", message: "x" }, "too-long"],
    [{ errorType: "policy", message: "Denied by the policy of your organization" }, "auth"],
    [{ errorType: "query", message: "Response was blocked by the content filter" }, "refused"],
  ])("%j: %s", (data, kind) => {
    expect(hear([error(data), result(1)]).outcome.ending).toMatchObject({ kind });
  });
});

it("has an outcome, whatever it prints", () => {
  const types = ["assistant.message", "tool.execution_start", "tool.execution_complete", "result"];
  const more = ["session.error", "model.call_failure", "assistant.turn_retry", "toString"];
  const keys = ["content", "toolRequests", "arguments", "toolTelemetry", "message", "statusCode"];
  expectOutcome(
    hear,
    fc.record({
      type: fc.constantFrom(...types, ...more),
      data: fc.dictionary(fc.constantFrom(...keys), fc.jsonValue()),
      exitCode: fc.jsonValue(),
    }),
  );
});

const work: Work = {
  cwd: "/project",
  env: {},
  prompt: "Do task 1.1.",
  instructions: "A role.",
  writable: ["/repo/.git"],
  limits: { wallMs: 1, silentMs: 1, graceMs: 1 },
  record: () => undefined,
};

describe("the command line", () => {
  it("has the role and the prompt on standard input, and does not ask the user", () => {
    const { command, input } = commandLine({ ...work, model: "gpt-6" }, "/tmp/usage.json");
    expect(input).toBe("A role.\n\nDo task 1.1.");
    expect(command.join(" ")).not.toMatch(/Do task|A role|--prompt/);
    expect(command).toEqual(
      expect.arrayContaining([
        "--allow-all-tools",
        "--no-ask-user",
        "--no-auto-update",
        "--add-dir=/repo/.git",
        "--model=gpt-6",
        "--usage-output-file=/tmp/usage.json",
      ]),
    );
    expect(command).not.toContain("--allow-all-paths");
  });

  it("does not check paths inside our sandbox", () => {
    const { command } = commandLine({ ...work, wrap: (inner) => inner }, undefined);
    expect(command).toContain("--allow-all-paths");
    expect(command.join(" ")).not.toMatch(/--add-dir|--usage/);
  });
});

describe("what it used", () => {
  it("is in a file, which is then removed", () => {
    const folder = mkdtempSync(join(tmpdir(), "copilot-"));
    const path = planUsageFile({ env: { TMPDIR: folder } }) ?? "";
    expect(dirname(path)).toBe(folder);
    expect(takeUsageFile(path)).toBeUndefined();
    const text = readFileSync(join(import.meta.dirname, "recorded", "usage.json"), "utf8");
    writeFileSync(path, text);
    const tokens = { input: 3702, cached: 3000, output: 168 };
    expect(takeUsageFile(path)).toEqual({ tokens, calls: 3, model: "scripted" });
    expect(existsSync(path)).toBe(false);
    expect(planUsageFile({ env: {}, wrap: (inner) => inner })).toBeUndefined();
  });

  it.each(["", "[]", "{}", '{"modelMetrics":{}}', '{"modelMetrics":[]}'])(
    "is not in %s",
    (text) => {
      expect(parseUsage(text)).toBeUndefined();
    },
  );
});
