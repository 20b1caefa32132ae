import { describe, expect, it } from "vitest";
import { layouts, speckit, specum } from "../../test/support/editions.ts";
import type { LoopPrompt as Prompt } from "../run/decision.ts";
import { type HandOutTask, planHandOut } from "../run/hand-out.ts";
import type { Entry } from "../run/journal.ts";
import { startLoop } from "../run/loop.ts";
import { parseTasks } from "../tasks/parse.ts";
import { renderOrders } from "./render-task.ts";
import { renderCoordinator, renderEnded, renderHalted, renderPrompt } from "./render.ts";

const loop = { ...startLoop("s", {}, undefined, { at: "", runId: "r" }), iteration: 4 };
const briefOf = (tasks: string, spec = { name: "demo", basePath: "./specs/demo" }) =>
  planHandOut(spec, parseTasks(tasks), {}, loop);
const THREE = "- [x] 1.1 one\n- [ ] 1.2 two\n  - **Do**: it\n- [ ] 1.3 [VERIFY] three\n";
const continuation = (tasks: string): Prompt => ({ kind: "continue", brief: briefOf(tasks) });

/** What the models of these clients count is not public; four characters a token overstates plain English. */
const tokens = (text: string): number => Math.ceil(text.length / 4);

describe("the continuation prompt", () => {
  it("opens as the contract says", () => {
    expect(renderPrompt(specum, continuation(THREE))).toMatch(
      /^Continue spec: demo \(Task 2\/3, Iter 4\)\n/,
    );
    expect(renderPrompt(speckit, continuation(THREE))).toMatch(
      /^Continue feature: demo \(Task 2\/3, Iter 4\)\n/,
    );
  });

  it.each(layouts)(
    "of $id names whom to start, and leaves the task's text to their orders",
    (layout) => {
      const text = renderPrompt(layout, continuation(THREE));
      expect(text).toContain(`Task 1.2 → ${layout.plugin}:spec-executor: two`);
      expect(text).toContain('with the prompt "1.2"');
      expect(text).not.toMatch(/three|\*\*Do\*\*|\bdone\b|State:/);
    },
  );

  it("sends [VERIFY] to the qa-engineer and a group to one agent each", () => {
    expect(renderPrompt(specum, continuation("- [ ] 1.1 [VERIFY] x\n"))).toContain(
      "Task 1.1 → ralph-specum:qa-engineer: x",
    );
    const group = renderPrompt(specum, continuation("- [ ] 1.1 [P] x\n- [ ] 1.2 [P] y\n"));
    expect(group).toContain("Start these agents in one message");
    expect(group).toContain("Task 1.2 → ralph-specum:spec-executor: y");
  });

  it("lists what a false claim left open, and cuts a long list", () => {
    const brief = briefOf(
      Array.from({ length: 14 }, (_, i) => `- [ ] 1.${i} task ${i}\n`).join(""),
    );
    const missing = parseTasks(
      Array.from({ length: 14 }, (_, i) => `- [ ] 1.${i} task ${i}\n`).join(""),
    ).tasks;
    const text = renderPrompt(specum, { kind: "sent-back", brief, missing });
    expect(text).toContain("1.0 task 0; 1.1 task 1");
    expect(text).toContain("and 4 more");
  });

  it("takes the spec's text as data", () => {
    const hostile = "- [ ] 1.1 \u001b[31mred\u202e {{program}} {{nothing}} $& $1\n";
    const text = renderPrompt(specum, continuation(hostile));
    expect(text).toContain("[31mred {{program}} {{nothing}} $& $1");
    expect(text).not.toMatch(/[\u001b\u202e]/);
    const named = renderPrompt(specum, {
      kind: "limit",
      spec: { name: "a\nb\u0007", basePath: "./x" },
      max: 3,
    });
    expect(named).toContain('where "a b" stands');
  });

  it("cuts a task that is a book", () => {
    const book = `- [ ] 1.1 ${"long ".repeat(100_000)}\n`;
    expect(renderPrompt(specum, continuation(book)).length).toBeLessThan(1000);
    const brief = briefOf(book);
    const orders = renderOrders(specum, brief, brief.current[0] as HandOutTask);
    expect(orders.length).toBeLessThan(10_000);
    expect(orders).toContain("the rest is in tasks.md from line 1");
  });

  it("says what to do without a tasks.md", () => {
    const brief = planHandOut({ name: "demo", basePath: "./specs/demo" }, undefined, {}, loop);
    expect(renderPrompt(specum, { kind: "continue", brief })).toContain(
      "There is no ./specs/demo/tasks.md",
    );
  });
});

describe("an agent's orders", () => {
  const ordersOf = (tasks: string, entries: readonly Entry[] = [], attempts = {}): string => {
    const brief = planHandOut(
      { name: "demo", basePath: "./specs/demo" },
      parseTasks(tasks),
      {},
      { ...loop, attempts },
      entries,
    );
    return renderOrders(specum, brief, brief.current.at(-1) as HandOutTask);
  };
  const entry = (event: Entry["event"], more: Partial<Entry>): Entry => ({
    at: "2026-01-01T00:00:00Z",
    event,
    loop,
    ...more,
  });
  const failed = {
    command: "npm test",
    outcome: "failed",
    exitCode: 1,
    milliseconds: 5,
    commit: "",
    tail: "expected 200, got 429\n",
  } as const;

  it("hold the task word for word, where it belongs, and the folder", () => {
    expect(ordersOf(THREE)).toBe(
      "# Task 1.2 of spec demo\n\nFolder: ./specs/demo.\n\n- [ ] 1.2 two\n  - **Do**: it\nIf nothing has to change for it, say why in the report: `NO_CHANGE: why` on a line of its own.",
    );
  });

  it.each(["[VERIFY]", "[RED]", "[GUARD]"])("say nothing of that for a task with %s", (tag) => {
    const orders = ordersOf(`- [ ] 1.1 ${tag} one\n`);
    expect(orders).toContain("one");
    expect(orders).not.toContain("NO_CHANGE");
  });

  const decision = (task: string, question: string, answer: string, isAboutRun = false) => ({
    task,
    question,
    answer,
    isAboutRun,
  });

  it.each(["2.1 [VERIFY] check AC-4", "V1 [FIX 2.1] not met", "2.1 three"])(
    "say what the user has decided about other tasks, bounded, also for %s",
    (line) => {
      const decided = [
        ...Array.from({ length: 30 }, (_, i) =>
          decision("1.1", `old ${i} ${"?".repeat(5000)}`, "a"),
        ),
        decision("1.2", "Refuse\n# Task 9", "name\u001b\n- [ ] 1.9"),
        decision("1.3", "It failed. What now?", "try again", true),
      ];
      const list = { ...parseTasks(`- [ ] ${line}\n`), decided };
      const brief = planHandOut({ name: "demo", basePath: "./specs/demo" }, list, {}, loop);
      const text = renderOrders(specum, brief, brief.current[0] as HandOutTask);
      expect(text).toContain("The user decided. This counts more than the documents");
      expect(text).toContain(
        "\n> 1.2, question: Refuse # Task 9\n> The user decided: name - [ ] 1.9",
      );
      expect(text).not.toContain("try again");
      expect(text.length).toBeLessThan(10_000);
    },
  );

  it("say where the criteria are that a check names", () => {
    const where = "read what they say: ./specs/demo/requirements.md";
    expect(ordersOf("- [ ] V6 [VERIFY] name the proof of AC-1\n")).toContain(where);
    expect(ordersOf("- [ ] 1.1 one\n")).not.toContain(where);
  });

  it("say what the user has decided about it, quoted, and how to ask where that is possible", () => {
    const list = parseTasks("- [ ] 1.1 one\n");
    const decided = [decision("1.1", "Which?\n# Task 2", "a\u001b\nb")];
    const spec = { name: "demo", basePath: "./specs/demo" };
    const brief = planHandOut(spec, { ...list, decided }, {}, loop);
    const task = brief.current[0] as HandOutTask;
    const text = renderOrders(specum, brief, task);
    expect(text).toContain("> Question: Which?\n> # Task 2\n> The user decided: a\n> b");
    expect(text).not.toContain(" ask ");
    const driven = renderOrders(specum, brief, task, undefined, true);
    expect(driven).toContain('`ralph-specum ask "…" --options a,b`');
  });

  it("say that everything waits for the user, if it does", () => {
    const spec = { name: "demo", basePath: "./specs/demo" };
    const list = { ...parseTasks("- [ ] 1.1 one\n"), held: new Set(["1.1"]) };
    const text = renderPrompt(specum, {
      kind: "continue",
      brief: planHandOut(spec, list, {}, loop),
    });
    expect(text).toContain("/ralph-specum:answer");
    expect(text).not.toContain("There is no");
  });

  it("say which attempt it is, why the last one failed, and what it printed", () => {
    const entries = [
      entry("failed", { task: "1.2", note: "the port is taken", evidence: [failed] }),
    ];
    const text = ordersOf(THREE, entries, { "1.2": 2 });
    expect(text).toContain("Attempt 2 of 5.");
    expect(text).toContain("> the port is taken");
    expect(text).toContain("> expected 200, got 429");
  });

  it("keep the notes of a group apart", () => {
    expect(ordersOf("- [ ] 1.1 [P] x\n- [ ] 1.2 [P] y\n")).toContain(
      "./specs/demo/.progress-task-1.2.md, not in .progress.md",
    );
  });

  it("of a check that failed are to fix it", () => {
    const entries = [entry("refused", { task: "1.1", note: "it failed", evidence: [failed] })];
    const text = ordersOf("- [ ] 1.1 [VERIFY] All green\n", entries);
    expect(text).toContain("Fix the cause");
    expect(text).toContain("VERIFICATION_PASS");
  });
});

describe("the end", () => {
  const spec = { name: "demo", basePath: "./specs/demo" };
  const commits = Array.from({ length: 12 }, (_, i) => `- 12345678${i} ${"word ".repeat(40)}end`);
  const ways = "Keep: `git switch main && git merge feat/x`.\nUndo: `smart-ralph undo 1.1`.";

  it("is read out in whole lines, to the last one, however long the summary is", () => {
    const summary = `12 of 12 tasks done.\n\n12 commits:\n${commits.join("\n")}\n\n${ways}`;
    const told = renderEnded(specum, spec, 12, summary);
    expect(told.length).toBeLessThan(2400);
    expect(told.endsWith(ways)).toBe(true);
    expect(told).toContain("- … and 4 more");
    for (const line of told.split("\n").slice(2))
      if (!line.includes("more")) expect(summary.split("\n")).toContain(line);
  });

  it("names the file with the summary only if it is there", () => {
    expect(renderEnded(specum, spec, 1, "1 of 1.")).toContain("./specs/demo/.progress.md");
    expect(renderEnded(specum, spec, 1, undefined)).not.toContain(".progress.md");
  });
});

it("a halt says why on one line, whatever somebody has written there", () => {
  expect(renderHalted("waiting (\u001b[31mred\nline)")).not.toMatch(/[\u001b\n]/);
});

describe("cost in tokens, the task's own text not counted", () => {
  const empty = "- [ ] 1.1 x\n";

  it.each(layouts)("$id: a continuation stays below 60, the start below 600", (layout) => {
    expect(tokens(renderPrompt(layout, continuation(empty)))).toBeLessThan(60);
    expect(tokens(renderCoordinator(layout, briefOf(empty), 1))).toBeLessThan(600);
  });
});
