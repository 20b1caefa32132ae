import { describe, expect, it } from "vitest";
import type { RunNews } from "../../src/runner/events.ts";
import type { Executor, WorkOrder, WorkResult } from "../../src/runner/executor.ts";
import { Lost } from "../../src/runner/lost.ts";

/** What the agent of an order does. */
export interface Script {
  /** Commits these files. */
  readonly commits?: Readonly<Record<string, string>>;
  /** Writes these and leaves them uncommitted. */
  readonly leaves?: Readonly<Record<string, string>>;
  readonly asks?: { readonly text: string; readonly options: readonly string[] };
  /** How it ends; `hangs`: only when it is stopped. */
  readonly ends: "turn" | "refused" | "hangs";
}

/** An executor with one agent, `scripted`, and an order that it can do. */
export interface ExecutorCase {
  readonly executor: Executor;
  readonly order: WorkOrder;
  /** The folders of this machine that no order or result may name. */
  readonly folders: readonly string[];
  /** A file as it is in a commit, where the coordinator looks for it; undefined if it is not there. */
  readonly read: (commit: string, file: string) => string | undefined;
  /** What the order's agent was told, and what it could read of the user's decisions. */
  readonly told: () => { readonly prompt: string; readonly answers: string };
  /** Whether anything of an attempt is left in the way of the next one. */
  readonly isClean: () => boolean;
}

const through = <T>(value: T): T => JSON.parse(JSON.stringify(value)) as T;
const never = new AbortController().signal;

/** Run by each executor: see `executor.test.ts`. */
export function describeExecutor(
  name: string,
  open: (script: Script) => Promise<ExecutorCase>,
): void {
  async function execute(
    { executor, order, folders }: ExecutorCase,
    { signal = never, onNews }: { signal?: AbortSignal; onNews?: (news: RunNews) => void } = {},
  ) {
    const news: RunNews[] = [];
    const sent = through(order);
    expect(sent).toEqual(order);
    const emit = (one: RunNews): void => {
      news.push(one);
      onNews?.(one);
    };
    const result = await executor.execute(sent, { signal, emit });
    expect(through(result), "it survives JSON").toEqual(result);
    for (const folder of folders) expect(JSON.stringify([sent, result])).not.toContain(folder);
    return { ...result, news };
  }

  const hang = async (made: ExecutorCase, reason?: unknown): Promise<WorkResult> => {
    const stop = new AbortController();
    return execute(made, {
      signal: stop.signal,
      onNews: ({ kind }) => void (kind === "action" && stop.abort(reason)),
    });
  };

  describe(`executor ${name}`, () => {
    it("does what the order says, tells it meanwhile, and brings back a report and a commit", async () => {
      const made = await open({ commits: { "one.txt": "1\n" }, ends: "turn" });
      const { news, ...result } = await execute(made);
      expect(result).toMatchObject({
        ending: { kind: "turn" },
        report: "TASK_COMPLETE",
        agent: "scripted",
        choice: "scripted",
        spent: { tokens: 11 },
        questions: [],
        hasWorked: true,
      });
      expect(result.commit).not.toBe(made.order.base);
      expect(made.read(result.commit ?? "", "one.txt")).toBe("1\n");
      const about = { spec: "demo", task: "1.1", attempt: 1 };
      expect(news).toMatchObject([
        { kind: "attempt-started", ...about, agent: "scripted" },
        { kind: "action", ...about },
        { kind: "attempt-ended", ...about, ending: { kind: "turn" } },
      ]);
      expect(made.told().prompt).toContain(made.order.prompt);
      expect(made.told().answers).toContain(made.order.decided[0]?.answer);
    });

    it("may bring back no commit", async () => {
      const result = await execute(await open({ ends: "turn" }));
      expect(result).toMatchObject({ ending: { kind: "turn" }, commit: null, hasWorked: false });
    });

    it("brings back what the agent asks", async () => {
      const asks = { text: "Which port?", options: ["80", "8080"] };
      const { questions, ending } = await execute(await open({ asks, ends: "turn" }));
      expect({ questions, ending }).toEqual({ questions: [asks], ending: { kind: "turn" } });
    });

    it("leaves nothing of an agent that did not end its turn", async () => {
      const made = await open({
        commits: { "one.txt": "1\n" },
        leaves: { "two.txt": "half\n" },
        ends: "refused",
      });
      const result = await execute(made);
      expect(result).toMatchObject({ ending: { kind: "failed" }, report: "", commit: null });
      expect(made.isClean()).toBe(true);
    });

    it("ends the agent when it is cancelled, and leaves nothing of it", async () => {
      const made = await open({ leaves: { "one.txt": "half\n" }, ends: "hangs" });
      expect(await hang(made)).toMatchObject({ ending: { kind: "stopped" }, commit: null });
      expect(made.isClean()).toBe(true);
    });

    it("starts nothing if it is cancelled before", async () => {
      const made = await open({ ends: "turn" });
      const stop = new AbortController();
      stop.abort();
      const { ending, news } = await execute(made, { signal: stop.signal });
      expect({ ending, news }).toEqual({ ending: { kind: "stopped" }, news: [] });
    });

    it("leaves the work as it is if the run has lost its spec", async () => {
      const made = await open({ leaves: { "one.txt": "half\n" }, ends: "hangs" });
      expect(await hang(made, new Lost("gone"))).toMatchObject({ ending: { kind: "stopped" } });
      expect(made.isClean()).toBe(false);
    });
  });
}
