import { spawn } from "node:child_process";
import { join, resolve } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import type { Usage } from "../../../src/agents/port.ts";
import type { Script } from "../model.ts";
import type { AgentAdapter, Trouble } from "./adapter.ts";
import { buildLoneRunner, GUARD } from "./lone-runner.ts";
import { INSTRUCTIONS, play, PROMPT, stage } from "./stand.ts";

/** On other systems we cannot tell for sure which processes are left. */
const isLinux = process.platform === "linux";

/**
 * What holds for every agent that we start, tested with the real agent and a scripted model. `cheap` leaves out what
 * all drivers share and what waits for a deadline.
 */
export function describeAgent(adapter: AgentAdapter, scope: "all" | "cheap" = "all"): void {
  const { shell, tells, troubles, startMs = 0 } = adapter;

  /** One command, then the final message. */
  const does =
    (command: string, words = "Done.\nTASK_COMPLETE"): Script =>
    ({ result }) =>
      result === undefined ? { say: "I will do it.", call: [shell(command)] } : words;

  /** A tool that hangs; the file shows that it is running. */
  const hangs = does("echo 1 > running; sleep 600");

  describe(`${adapter.agent.name}: a turn`, () => {
    it("has the task, the role and the usage; the model's last message is the report", async () => {
      const staged = await stage(
        adapter,
        does("echo hello > greeting; git add -A; git commit -qm one"),
      );
      const { outcome, events } = await play(adapter, staged);
      expect(outcome.ending).toEqual({ kind: "turn" });
      expect(outcome.report).toContain("TASK_COMPLETE");
      expect(staged.read("greeting")).toBe("hello\n");
      const ask = staged.model.asks.find(({ asker }) => asker === "main");
      // What the agent says about its environment may come first.
      const told = `${ask?.order}\n${ask?.text}`;
      expect(told).toContain(PROMPT);
      expect(`${ask?.system}\n${told}`).toContain(INSTRUCTIONS);
      expect(outcome.usage.tokens.input).toBeGreaterThan(0);
      expect(outcome.usage.tokens.output).toBeGreaterThan(0);
      if (tells.cost) expect(outcome.usage.usd).toBeGreaterThan(0);
      const kinds = events.map(({ kind }) => kind);
      expect(kinds).toEqual(expect.arrayContaining(["session", "text", "tool", "usage"]));
      expect(events.some((one) => one.kind === "tool" && one.title.includes("greeting"))).toBe(
        true,
      );
      expect(staged.record.length).toBeGreaterThan(2);
      expect(staged.living()).toEqual([]);
      expect(staged.model.faults).toEqual([]);
    });

    it("names the files that it edits with its own tools, and not those that its shell writes", async () => {
      let root = "";
      const staged = await stage(adapter, ({ call }) =>
        call === 1
          ? { call: [shell("echo 1 > by-shell.txt")] }
          : call === 2
            ? { call: [adapter.edit(join(root, "by-tool.txt"), "hello\n")] }
            : "Done.\nTASK_COMPLETE",
      );
      root = staged.work.cwd;
      const { events } = await play(adapter, staged);
      expect([staged.read("by-shell.txt"), staged.read("by-tool.txt")]).toEqual(["1\n", "hello\n"]);
      const files = events.flatMap((one) => (one.kind === "edited" ? one.files : []));
      expect([...new Set(files.map((file) => resolve(root, file)))]).toEqual([
        join(root, "by-tool.txt"),
      ]);
    });

    it.runIf(isLinux)("leaves a process in its own session: it is swept, and counted", async () => {
      const staged = await stage(
        adapter,
        does("nohup setsid sleep 600 >/dev/null 2>&1 & sleep 0.2"),
      );
      // In a namespace of its own, the kernel ends it.
      const { enclose: _, ...work } = staged.work;
      const { outcome, events } = await play(adapter, { ...staged, work });
      expect(outcome.ending).toEqual({ kind: "turn" });
      expect(events.some((one) => one.kind === "swept" && one.count > 0)).toBe(true);
      expect(staged.living()).toEqual([]);
    });
  });

  const ENDS = {
    limit: "limit",
    busy: "busy",
    auth: "auth",
    "too-long": "too-long",
    refused: "refused",
  };
  const known = (Object.keys(troubles) as Trouble[]).map((trouble) => [trouble] as const);

  describe(`${adapter.agent.name}: no turn`, () => {
    it.each(known)("%s", async (trouble) => {
      const resetsAt = Math.floor(Date.now() / 1000) + 3600;
      const { answer, env } = troubles[trouble]?.(resetsAt) ?? { answer: "" };
      const staged = await stage(adapter, () => answer, env === undefined ? {} : { env });
      const { outcome, events } = await play(adapter, staged);
      expect(outcome.ending).toMatchObject({
        kind: ENDS[trouble],
        text: expect.stringMatching(/\w/),
      });
      if (trouble === "limit" && tells.reset !== false) {
        const told = "resetsAt" in outcome.ending ? outcome.ending.resetsAt : undefined;
        const late = Date.parse(told ?? "") / 1000 - resetsAt;
        expect(late).toBeGreaterThanOrEqual(0);
        expect(late).toBeLessThanOrEqual(tells.reset === "minute" ? 60 : 0);
      }
      if (trouble === "busy" && tells.retries) {
        expect(events.some(({ kind }) => kind === "retry")).toBe(true);
      }
      expect(staged.living()).toEqual([]);
    });
  });

  describe(`${adapter.agent.name}: ended by us, with nothing left`, () => {
    it.runIf(scope === "all")("a tool that hangs: in silence", async () => {
      const staged = await stage(adapter, hangs, {
        limits: { silentMs: adapter.silentMs ?? 8000 },
      });
      const { outcome } = await play(adapter, staged);
      expect(outcome.ending).toEqual({ kind: "stopped", by: "silence" });
      expect(staged.has("running")).toBe(true);
      expect(staged.living()).toEqual([]);
    });

    it.runIf(scope === "all")("a model that does not answer: at the wall deadline", async () => {
      const staged = await stage(adapter, () => ({ say: "late", delayMs: 120_000 }), {
        limits: { wallMs: 5000 + startMs },
      });
      const { outcome } = await play(adapter, staged);
      expect(outcome.ending).toEqual({ kind: "stopped", by: "wall" });
      expect(staged.living()).toEqual([]);
    });

    it("in the middle of a tool, by the user", async () => {
      const staged = await stage(adapter, hangs);
      const { outcome } = await play(adapter, staged, (stop, event) => {
        if (event === undefined) void staged.sees("running").then(() => stop("user"));
      });
      expect(outcome.ending).toEqual({ kind: "stopped", by: "user" });
      expect(staged.living()).toEqual([]);
    });

    it.runIf(tells.live !== false)(
      "while it works, by the budget: what it has used so far is known",
      async () => {
        const staged = await stage(adapter, hangs);
        let seen: Usage | undefined;
        const { outcome } = await play(adapter, staged, (stop, event) => {
          if (event?.kind !== "usage" || event.usage.tokens.input === 0) return;
          seen ??= event.usage;
          stop("budget");
        });
        expect(outcome.ending).toEqual({ kind: "stopped", by: "budget" });
        expect(seen?.tokens.input).toBeGreaterThan(0);
        const least = tells.tokens === "late" ? 1 : (seen?.tokens.input ?? Infinity);
        expect(outcome.usage.tokens.input).toBeGreaterThanOrEqual(least);
        expect(staged.living()).toEqual([]);
      },
    );

    it.runIf(isLinux && scope === "all")(
      "by the guard: the runner is killed with -9, and the guard ends the agent and its shell",
      async () => {
        const staged = await stage(adapter, hangs);
        const runner = spawn(process.execPath, [await buildLoneRunner()], {
          env: { PATH: process.env["PATH"] },
          stdio: ["pipe", "ignore", "inherit"],
          detached: true,
        });
        const { record: _, ...work } = staged.work;
        const order = { id: adapter.agent.id, mark: staged.mark, guard: GUARD, work };
        runner.stdin.end(JSON.stringify(order));
        await staged.sees("running");
        expect(staged.living().length).toBeGreaterThan(1);
        process.kill(-(runner.pid as number), "SIGKILL");
        while (staged.living().length > 0) await delay(50);
      },
    );
  });
}
