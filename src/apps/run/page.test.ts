import { describe, expect, it } from "vitest";
import { entryOf, ranWith, summaryOf } from "../../../test/support/journal.ts";
import { makeRunLog } from "../../../test/support/run-log.ts";
import type { Ending } from "../../agents/port.ts";
import type { Summary } from "../../facts/summary.ts";
import type { Entry } from "../../run/journal.ts";
import type { RunEvent, RunNews, TaskLine } from "../../runner/events.ts";
import { type Page, planPage, planReport } from "../../runner/report.ts";
import type { RunStatus } from "../../runner/run-status.ts";
import { EMPTY, type SpecView } from "../../runner/view/model.ts";
import { reduceAll } from "../../runner/view/reduce.ts";
import { waitingIn } from "../../runner/view/waiting.ts";
import { parseTasks } from "../../tasks/parse.ts";
import { showPage } from "./page.ts";

const RUN = "2026-11-16-2241-77e2";
const TITLES = [
  "Add up a cart",
  "Take payments",
  "Describe the cart",
  "Describe the taxes",
  "Write the invoice as a PDF with all taxes of the customer's country",
  "[VERIFY] Everything is there",
];
const START = Date.UTC(2026, 10, 16, 22, 41);
const at = (seconds: number): string => new Date(START + seconds * 1000).toISOString();
const spent = {
  tokens: { input: 5000, cached: 0, output: 200 },
  usd: 0.03,
  source: "agent",
} as const;

const FAILED = "its Verify `npm test` failed with exit code 1. Fix the cause, then report again.";
const IDLE =
  "nothing has changed since it was handed out. If that is right (done earlier, or its effect is elsewhere), say `NO_CHANGE: why` on a line of its own and report again.";

interface Night {
  readonly spec?: string;
  /** `1.1 done`, `1.1 failed`, `1.1 idle`, `1.2 asks`, `1.2 limit`, `1.3 stopped`, `1.2 bare`: what became of each agent. */
  readonly acts: readonly string[];
  readonly status: RunStatus | null;
  readonly text?: string;
}

/** What a run of six tasks left: its events, and what the spec's own files say. */
function spend({ spec = "shop", acts, status, text = "" }: Night): Page & { events: RunEvent[] } {
  const done = new Set(acts.filter((one) => /done|bare/.test(one)).map((one) => one.split(" ")[0]));
  const asks = acts.find((one) => one.endsWith("asks"))?.split(" ")[0];
  const lines = TITLES.map(
    (title, i) =>
      `- [${done.has(`1.${i + 1}`) ? "x" : " "}] 1.${i + 1} ${title}\n  - **Verify**: \`npm test\`\n`,
  );
  const list = parseTasks(`## Phase 1: Make it work\n\n${lines.join("")}`);
  const entries: Entry[] = [];
  const events: RunEvent[] = [];
  const say = (news: RunNews): void =>
    void events.push({ run: RUN, seq: 1, at: at(events.length), ...news } as RunEvent);
  const plan = (isEnd: boolean): void => {
    const tasks = list.tasks.map(({ id, title, checked }): TaskLine => {
      const state = isEnd && checked ? "done" : isEnd && id === asks ? "waits" : "open";
      return { id, title, state };
    });
    say({ kind: "plan", spec, branch: `smart-ralph/${spec}`, tree: "", tasks });
  };
  const start = { agents: ["demo"], parallel: 1, budget: {}, sandbox: "none" };
  const options = ["--agent", "demo"];
  say({ kind: "run-started", version: "1", pid: 1, ...start, options });
  plan(false);
  const tries = new Map<string, number>();
  for (const act of acts) {
    const [task = "", what = ""] = act.split(" ");
    const attempt = (tries.get(task) ?? 0) + 1;
    const about = { spec, task, attempt };
    const note = what === "idle" ? IDLE : FAILED;
    const ending: Ending =
      what === "limit"
        ? { kind: "limit", text: "You've hit your limit" }
        : what === "stopped"
          ? { kind: "stopped", by: "user" }
          : { kind: "turn" };
    say({ kind: "attempt-started", ...about, of: 5, role: "execution", title: "", agent: "demo" });
    say({ kind: "attempt-ended", ...about, ending, ms: 1000, spent });
    if (what !== "limit" && what !== "stopped") {
      tries.set(task, attempt);
      entries.push(entryOf("delegated", task));
    }
    if (what === "failed" || what === "idle") {
      say({ kind: "refused", ...about, reason: note });
      entries.push(entryOf("refused", task, { note: `${task} is not done: ${note}` }));
    }
    if (what === "asks")
      say({
        kind: "question",
        spec,
        task,
        id: 1,
        text: "Charge cards with a paid service, or invoices only?",
        options: ["paid service", "invoices only", "leave it"],
      });
    if (what !== "done" && what !== "bare") continue;
    const commit = `${task.replace(".", "")}f3a91c1207bd4e`;
    say({ kind: "done", ...about, before: "failed", after: "passed", commit });
    const evidence = what === "bare" ? [] : [ranWith("passed", { commit })];
    const before = entryOf("before", task, { evidence: [ranWith("failed")] });
    entries.push(before, entryOf("done", task, { evidence, commits: [commit] }));
  }
  plan(true);
  if (status !== null)
    say({ kind: "run-ended", status, done: done.size, total: TITLES.length, text });
  const progress = "## Interview\n\n- Assumed: prices are in cents\n";
  const goal = "A shop whose cart adds up, with taxes and invoices";
  const specs: Summary[] = [{ ...summaryOf(list, entries, { progress, goal }), spec }];
  return { events, specs, report: reportOn(events, specs) };
}

/** As the spec's files tell it after the run. */
function reportOn(events: readonly RunEvent[], specs: readonly Summary[]) {
  const model = reduceAll(events);
  const known = specs.map((facts) => {
    const view = model.specs.find(({ name }) => name === facts.spec) as SpecView;
    const unproven = model.ended?.status === "unproven" ? facts.unproven : [];
    return { facts, entries: [], waiting: { ...waitingIn(model, view), unproven } };
  });
  return planReport(model, known, START + 60_000);
}

const NOT_RUN: SpecView = { name: "shop", branch: null, tree: "", tasks: [] };

const ALL = ["1.1 done", "1.2 done", "1.3 done", "1.4 done", "1.5 done", "1.6 done"];
const finished = spend({
  status: "finished",
  acts: ["1.1 idle", "1.2 limit", "1.3 failed", "1.3 failed", ...ALL],
});
const waits = spend({
  status: "waits",
  acts: ["1.1 failed", "1.1 done", "1.2 asks", "1.3 done", "1.4 done", "1.5 done"],
});
const unproven = spend({
  status: "unproven",
  text: "nothing shows that the work was done: 1.2; smart-ralph evidence --spec shop says why",
  acts: ["1.1 failed", ...ALL.map((act) => act.replace("1.2 done", "1.2 bare"))],
});
const stopped = spend({
  status: "stopped",
  text: "stopped",
  acts: ["1.1 done", "1.2 failed", "1.2 failed", "1.3 stopped"],
});
const log = makeRunLog();
const night = planReport(reduceAll(log.events), [], Date.parse(log.until("end").now));

const shown = (page: Page, width: number | undefined, verbose = false): string =>
  `${showPage(page, { colour: false, width }, { verbose })}\n`;

describe("the end of a run", () => {
  it("is one page, on terminals of any width", async () => {
    const frames = Object.entries({
      "finished, 80 columns": shown(finished, 80),
      "finished, 50 columns": shown(finished, 50),
      "with a question, 80 columns": shown(waits, 80),
      "with a question, 50 columns": shown(waits, 50),
      "not all proven, 80 columns": shown(unproven, 80),
      "stopped by the user, 80 columns": shown(stopped, 80),
      "at work, 80 columns": shown(spend({ status: null, acts: ["1.1 done"] }), 80),
      "a spec that no run has worked on, 80 columns": shown(
        planPage(waits.specs[0] as Summary, waitingIn(EMPTY, NOT_RUN)),
        80,
      ),
      "a long night of two agents, 100 columns": shown({ specs: [], report: night }, 100),
      "the same, 50 columns": shown({ specs: [], report: night }, 50),
      "finished, --verbose in a pipe": shown(finished, undefined, true),
    });
    const text = frames.map(([name, frame]) => `── ${name}\n${frame}`).join("\n");
    await expect(text).toMatchFileSnapshot("view/frames/pages.txt");
  });

  it.each([
    ["finished", finished],
    ["with a question", waits],
    ["not all proven", unproven],
    ["stopped", stopped],
  ])("fits a screen of 80 by 24 with six tasks: %s", (_, page) => {
    const lines = shown(page, 80).trimEnd().split("\n");
    // The shell's prompt is the last line.
    expect(lines.length).toBeLessThan(24);
    expect(Math.max(...lines.map((line) => line.length))).toBeLessThanOrEqual(80);
  });

  it("leaves a command whole, so that it can be copied", () => {
    expect(shown({ specs: [], report: night }, 30)).toContain(
      "\n  smart-ralph run user-export --agent claude,codex --max-cost 6\n",
    );
  });

  it("names each spec of an epic", () => {
    const [cart, tax] = ["cart", "tax"].map((spec) =>
      spend({ spec, status: "finished", acts: ["1.1 failed", ...ALL] }),
    ) as [typeof finished, typeof finished];
    const middle = [...cart.events.slice(0, -1), ...tax.events.slice(1)];
    const begin = { ...cart.events[0], epic: "big" } as RunEvent;
    const specs = [...cart.specs, ...tax.specs];
    const report = reportOn([begin, ...middle.slice(1)], specs);
    const text = shown({ specs, report }, 100);
    expect(text).toMatch(/^big {2}finished {2}2026/);
    expect(text).toContain("\ntax: A shop whose cart adds up");
    expect(text).toContain("\n✓  cart 1.1 Add up a cart");
    expect(text).toContain("✗ tax 1.1 needed 2 attempts: its Verify failed");
    expect(text).toContain("· tax: prices are in cents");
  });

  it("has colours only where they are wanted", () => {
    const colour = showPage(finished, { colour: true, width: 80 });
    expect(colour).toContain("\u001b[32m✓\u001b[39m");
    expect(colour.replaceAll(/\u001b\[\d+m/g, "")).toBe(
      showPage(finished, { colour: false, width: 80 }),
    );
  });

  it("cannot be broken by a title", () => {
    const events = JSON.parse(
      JSON.stringify(log.events).replaceAll("Write rows as CSV", "a | b\\n# c `x`\\u001b[2J"),
    ) as typeof log.events;
    const report = planReport(reduceAll(events), [], START);
    const text = shown({ specs: [], report }, 100);
    expect(text).toMatch(/^✓ {2}1\.2 a \| b # c `x`\[2J/m);
    expect(text).not.toContain("\u001b");
  });
});
