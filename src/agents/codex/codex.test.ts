import { execFileSync } from "node:child_process";
import { mkdtempSync, realpathSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { expectOutcome } from "../../../test/support/any-lines.ts";
import { recordedRun } from "../../../test/support/recorded.ts";
import { type AgentEvent, NO_TOKENS, type Outcome, type Work } from "../port.ts";
import { commandLine, writableFor } from "./command-line.ts";
import { conclude } from "./conclude.ts";
import { beginHeard, type Heard, readLine } from "./read.ts";

interface Run {
  readonly outcome: Outcome;
  readonly events: readonly AgentEvent[];
  readonly state: Heard;
}

const NOW = new Date(2026, 10, 16, 8, 50, 20);

function hear(lines: readonly string[], exit: Partial<Parameters<typeof conclude>[1]> = {}): Run {
  let state = beginHeard(400);
  const events: AgentEvent[] = [];
  for (const line of lines) {
    const step = readLine(state, line);
    state = step.state;
    events.push(...step.events);
  }
  const outcome = conclude(state, { code: 1, signal: null, stderr: "", ...exit }, NOW);
  return { outcome, events, state };
}

/** What the client printed with a scripted model. */
const recorded = recordedRun(import.meta.dirname);

const local = (...at: [number, number, number, number, number]): string =>
  new Date(...at).toISOString();

describe("a recorded run", () => {
  it.each<[name: string, ending: object]>([
    ["turn", { kind: "turn" }],
    ["recovered", { kind: "turn" }],
    ["silent", { kind: "turn" }],
    [
      "limit",
      {
        kind: "limit",
        resetsAt: local(2026, 10, 16, 10, 54),
        text: expect.stringMatching(/^You’ve hit your usage limit\..*try again at 10:53 AM\.$/),
      },
    ],
    [
      "limit-far",
      {
        kind: "limit",
        resetsAt: local(2026, 10, 19, 8, 51),
        text: expect.stringContaining("Nov 19th, 2026 8:50 AM"),
      },
    ],
    ["limit-unknown", { kind: "limit", text: expect.stringContaining("try again later") }],
    ["quota", { kind: "limit", text: "Quota exceeded. Check your plan and billing details." }],
    ["no-plan", { kind: "auth", text: expect.stringContaining("upgrade to Plus") }],
    ["rate429", { kind: "busy", text: expect.stringContaining("429") }],
    ["rate-failed", { kind: "busy", text: expect.stringContaining("Rate limit") }],
    ["busy503", { kind: "busy", text: expect.stringContaining("at capacity") }],
    ["busy500", { kind: "busy", text: expect.stringContaining("high demand") }],
    ["unreachable", { kind: "busy", text: "Connection failed: error sending request" }],
    ["waiting", { kind: "busy", text: "Connection failed: error sending request" }],
    ["auth401", { kind: "auth", text: expect.stringContaining("401 Unauthorized") }],
    ["forbidden", { kind: "auth", text: expect.stringContaining("403 Forbidden") }],
    ["nokey", { kind: "auth", text: "Missing environment variable: `MADE_UP_KEY`." }],
    ["nomodel", { kind: "auth", text: "The model `scripted` does not exist" }],
    [
      "too-long",
      {
        kind: "too-long",
        text: "Your input exceeds the context window of this model. Please adjust your input and try again.",
      },
    ],
    ["too-long-midway", { kind: "too-long", text: expect.stringContaining("ran out of room") }],
    ["refused", { kind: "refused", text: expect.stringContaining("safety reasons") }],
    ["malformed", { kind: "crashed", text: "Your input is malformed" }],
    [
      "no-sandbox",
      {
        kind: "crashed",
        text: expect.stringMatching(/own sandbox cannot start here \(bwrap: No perm.*--sandbox/),
      },
    ],
  ])("%s", (name, ending) => {
    expect(hear(recorded(name)).outcome.ending).toEqual(ending);
  });

  it("reports what it did and what it used", () => {
    const { outcome, events } = hear(recorded("turn"), { code: 0 });
    expect(outcome).toEqual({
      ending: { kind: "turn" },
      report: "Done.\nTASK_COMPLETE",
      usage: { tokens: { input: 3702, cached: 3000, output: 168 }, calls: 3 },
    });
    expect(events.filter(({ kind }) => kind !== "usage")).toEqual([
      { kind: "session", id: expect.stringMatching(/^[\da-f-]{36}$/) },
      { kind: "text", text: "I look." },
      { kind: "tool", title: "ls; sleep 0.1" },
      { kind: "tool", title: "edit /project/b.txt" },
      { kind: "edited", files: ["/project/b.txt"] },
      { kind: "text", text: "Done.\nTASK_COMPLETE" },
    ]);
  });

  it("is estimated until it reports its usage, or to the end if it never does", () => {
    const { events } = hear(recorded("turn"));
    const sums = events.flatMap((one) => (one.kind === "usage" ? [one.usage.tokens.input] : []));
    expect(sums.slice(0, 4)).toEqual([7100, 7100, 14_213, 21_354]);
    const killed = hear(recorded("turn").slice(0, 5), { code: null, signal: "SIGKILL" });
    expect(killed.outcome).toMatchObject({
      ending: { kind: "crashed", text: "it was killed by SIGKILL without a result" },
      usage: { tokens: { input: 7100, cached: 0 }, calls: 1 },
    });
  });

  it("reports that it retries, how often and why", () => {
    const retries = (name: string): unknown[] =>
      hear(recorded(name)).events.filter(({ kind }) => kind === "retry");
    expect(retries("rate429").slice(0, 2)).toEqual([
      { kind: "retry", attempt: 1, of: 5, status: 429 },
      { kind: "retry", attempt: 2, of: 5, status: 429 },
    ]);
    expect(retries("auth401")[0]).toEqual({ kind: "retry", attempt: 1, of: 5, status: 401 });
    expect(retries("unreachable")[4]).toEqual({ kind: "retry", attempt: 5, of: 5 });
    expect(retries("waiting")[0]).toEqual({ kind: "retry", attempt: 1 });
  });

  it("ends at once if its sandbox cannot start; a command that fails later is part of the task", () => {
    const lines = recorded("no-sandbox");
    const broken = lines.findIndex((line) => line.includes('"exit_code":1'));
    expect(hear(lines.slice(0, broken)).state.noSandbox).toBeUndefined();
    expect(hear(lines.slice(0, broken + 1)).state.noSandbox).toMatch(/^bwrap: /);
    const turn = recorded("turn").slice(0, 6);
    expect(hear([...turn, lines[broken] as string]).state.noSandbox).toBeUndefined();
  });
});

describe("no turn", () => {
  it("ends without a result", () => {
    expect(hear([], { code: 1, stderr: "Error parsing -c overrides" }).outcome).toEqual({
      ending: {
        kind: "crashed",
        text: "it exited with 1 without a result: Error parsing -c overrides",
      },
      report: "",
      usage: { tokens: NO_TOKENS, calls: 0 },
    });
  });

  it("a turn for which the model was not asked", () => {
    const usage = { input_tokens: 0, cached_input_tokens: 0, output_tokens: 0 };
    const lines = [JSON.stringify({ type: "turn.completed", usage })];
    expect(hear(lines, { code: 0 }).outcome.ending).toMatchObject({ kind: "crashed" });
    expect(hear(['{"type":"turn.completed"}']).outcome.ending).toMatchObject({ kind: "crashed" });
  });

  it("dies while it retries: the reason is the one that it gave", () => {
    const lines = recorded("rate429").slice(0, 5);
    const { ending } = hear(lines, { code: null, signal: "SIGKILL" }).outcome;
    expect(ending).toMatchObject({ kind: "busy" });
    const later = hear(recorded("recovered").slice(0, -1), { code: null, signal: "SIGKILL" });
    expect(later.outcome.ending).toMatchObject({ kind: "crashed" });
  });

  it.each([
    ["Your access token could not be refreshed. Please log out and sign in again.", "auth"],
    ["stream disconnected before completion: idle timeout waiting for SSE", "busy"],
    ["unexpected status 502 Bad Gateway: , url: http://x", "busy"],
    ["Incomplete response returned, reason: content_filter", "refused"],
    ["something else", "crashed"],
  ])("%s: %s", (message, kind) => {
    const lines = [JSON.stringify({ type: "turn.failed", error: { message } })];
    expect(hear(lines).outcome.ending).toMatchObject({ kind });
  });
});

it("has an outcome, whatever it prints", () => {
  const keys = ["type", "item", "error", "message", "usage", "text", "command", "id", "changes"];
  const types = ["item.started", "item.completed", "error", "turn.failed", "turn.completed"];
  const kinds = ["command_execution", "file_change", "agent_message", "mcp_tool_call"];
  const value = fc.oneof(fc.jsonValue(), fc.constantFrom(...types, ...kinds));
  const item = fc.dictionary(fc.constantFrom(...keys), value);
  expectOutcome(
    hear,
    fc.record({ type: fc.constantFrom(...types), item, error: item, usage: item, message: value }),
  );
});

const work: Work = {
  cwd: "/project",
  env: {},
  prompt: "Do task 1.1.",
  instructions: 'A role.\n"Quoted" \\ \u007F',
  writable: [],
  limits: { wallMs: 1, silentMs: 1, graceMs: 1 },
  record: () => undefined,
};

describe("the command line", () => {
  it("has the prompt on standard input, the role next to the client's own, its sandbox on and no questions", () => {
    const { command, input } = commandLine({ ...work, model: "gpt-6" }, ["/repo/.git"]);
    expect(input).toBe("Do task 1.1.");
    expect(command.join(" ")).not.toContain("Do task");
    expect(command).toEqual(
      expect.arrayContaining(["--sandbox=workspace-write", 'approval_policy="never"']),
    );
    expect(command.join(" ")).toContain("--add-dir /repo/.git");
    expect(command.join(" ")).toContain("--model gpt-6");
    expect(command).toContain('developer_instructions="A role.\\n\\"Quoted\\" \\\\ \\u007f"');
    expect(command).toContain('shell_environment_policy.inherit="all"');
    expect(command.at(-1)).toBe("-");
  });

  it("has no sandbox inside ours", () => {
    const { command } = commandLine({ ...work, wrap: (inner) => inner }, ["/repo/.git"]);
    expect(command).toContain("--dangerously-bypass-approvals-and-sandbox");
    expect(command.join(" ")).not.toMatch(/--sandbox|--add-dir/);
  });

  it("puts a role that is too long for an argument before the prompt", () => {
    const instructions = "x".repeat(30_000);
    const { command, input } = commandLine({ ...work, instructions }, []);
    expect(input).toBe(`${instructions}\n\nDo task 1.1.`);
    expect(command.join(" ").length).toBeLessThan(1000);
  });
});

describe("what its sandbox may write", () => {
  it("includes a work tree's own folder in the repository", () => {
    const root = realpathSync(mkdtempSync(join(tmpdir(), "codex-")));
    const git = (...args: string[]): void => void execFileSync("git", args, { cwd: root });
    git("init", "-q");
    git("-c", "user.name=a", "-c", "user.email=a@b.c", "commit", "-q", "--allow-empty", "-m", "x");
    git("worktree", "add", "-q", "tree");
    const [common, cwd] = [join(root, ".git"), join(root, "tree")];
    expect(writableFor({ cwd, writable: [common] })).toEqual([
      common,
      join(common, "worktrees", "tree"),
    ]);
    expect(writableFor({ cwd, writable: [] })).toEqual([]);
    expect(writableFor({ cwd: root, writable: [common] })).toEqual([common]);
    expect(writableFor({ cwd: tmpdir(), writable: [common] })).toEqual([common]);
  });
});
