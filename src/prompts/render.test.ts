import { describe, expect, it } from "vitest";
import { layouts, speckit, specum } from "../../test/support/editions.ts";
import type { LoopPrompt as Prompt } from "../run/decision.ts";
import { planHandOut } from "../run/hand-out.ts";
import { startLoop } from "../run/loop.ts";
import { parseTasks } from "../tasks/parse.ts";
import { renderCoordinator, renderPrompt } from "./render.ts";

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

  it.each(layouts)("of $id names everything an agent needs", (layout) => {
    const text = renderPrompt(layout, continuation(THREE));
    for (const word of [
      layout.stateFile,
      "tasks.md",
      "spec-executor",
      "qa-engineer",
      "ALL_TASKS_COMPLETE",
      `${layout.plugin} done`,
    ]) {
      expect(text).toContain(word);
    }
    expect(text).toContain("- [ ] 1.2 two\n  - **Do**: it");
    expect(text).not.toContain("three");
  });

  it("sends [VERIFY] to the qa-engineer and a group to one agent each", () => {
    expect(renderPrompt(specum, continuation("- [ ] 1.1 [VERIFY] x\n"))).toContain(
      "## Task 1.1 → ralph-specum:qa-engineer",
    );
    const group = renderPrompt(specum, continuation("- [ ] 1.1 [P] x\n- [ ] 1.2 [P] y\n"));
    expect(group).toContain("Parallel group: 1.1, 1.2");
    expect(group).toContain("## Task 1.2 → ralph-specum:spec-executor");
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
    expect(named).toContain('for "a b".');
  });

  it("cuts a task that is a book", () => {
    expect(
      renderPrompt(specum, continuation(`- [ ] 1.1 ${"long ".repeat(100_000)}\n`)).length,
    ).toBeLessThan(10_000);
  });

  it("says what to do without a tasks.md", () => {
    const brief = planHandOut({ name: "demo", basePath: "./specs/demo" }, undefined, {}, loop);
    expect(renderPrompt(specum, { kind: "continue", brief })).toContain(
      "There is no ./specs/demo/tasks.md",
    );
  });
});

describe("cost in tokens, the task's own text not counted", () => {
  const empty = "- [ ] 1.1 x\n";

  it.each(layouts)("$id: a continuation stays below 500, the start below 1,200", (layout) => {
    expect(tokens(renderPrompt(layout, continuation(empty)))).toBeLessThan(500);
    expect(tokens(renderCoordinator(layout, briefOf(empty), 1))).toBeLessThan(1200);
  });
});
