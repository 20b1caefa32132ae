import { describe, expect, it } from "vitest";
import { layouts, speckit, specum } from "../../test/support/editions.ts";
import type { Phase } from "../layouts/layout.ts";
import { intentOf, type IntentId, type SpecIntent } from "../spec/intent.ts";
import type { PhaseFacts } from "./phase-facts.ts";
import { renderBack, renderFindings, renderPhase } from "./phase.ts";

const phaseOf = (name: string, layout = specum): Phase =>
  layout.phases.find((phase) => phase.name === name) as Phase;

const read = (id: IntentId): SpecIntent => ({
  intent: intentOf(id),
  by: "goal",
  confidence: "medium",
});

const facts = (more: Partial<PhaseFacts> = {}): PhaseFacts => ({
  spec: { name: "limits", basePath: "./specs/limits" },
  phase: phaseOf("research"),
  goal: "limit requests per key",
  quick: false,
  intent: read("mid-sized"),
  granularity: "coarse",
  small: false,
  looksSmall: false,
  isProvisional: false,
  words: [],
  open: [],
  questions: [],
  documents: [],
  beside: [],
  hints: [],
  ...more,
});

describe("the prompt of a phase", () => {
  it.each(layouts.flatMap((layout) => layout.phases.map((phase) => [layout, phase] as const)))(
    "$1.plugin $0.name says who writes what, how it is checked, and how the user goes on",
    (layout, phase) => {
      const text = renderPhase(layout, facts({ phase }));
      expect(text).toContain(`\`${layout.plugin}:${phase.agent}\``);
      expect(text).toContain(`./specs/limits/${phase.document}`);
      // The program hears the agent itself.
      expect(text).not.toContain("submit");
      expect(text).toMatch(new RegExp(`/${layout.plugin}:\\w+ approves it`));
      expect(text).not.toMatch(/\{\{|undefined/);
      expect(text.length / 4).toBeLessThan(800);
    },
  );

  it("asks within the budget of the intent first, and little later", () => {
    expect(renderPhase(specum, facts())).toContain("3 to 7 questions");
    const bug = facts({ intent: read("bug-fix") });
    expect(renderPhase(specum, bug)).toContain("1 to 5 questions");
    expect(renderPhase(specum, facts({ phase: phaseOf("design") }))).toContain(
      "at most 3 questions",
    );
  });

  it("asks nothing in quick mode, and waits for nobody", () => {
    const text = renderPhase(specum, facts({ quick: true }));
    expect(text).toContain("ask nothing");
    expect(text).not.toContain("AskUserQuestion");
    expect(text).not.toContain("approves it");
    expect(text).toContain("the next phase is handed to you with the result");
  });

  it("gives the planner the size of the tasks", () => {
    const text = renderPhase(
      specum,
      facts({ phase: phaseOf("tasks"), intent: read("greenfield") }),
    );
    expect(text).toMatch(
      /- Intent: looks like something new \(medium confidence\);.*\n- Granularity: coarse\n/,
    );
    expect(renderPhase(specum, facts())).not.toContain("Granularity");
  });

  it("says the intent as a suggestion, and how to change it", () => {
    const change =
      "`ralph-specum set intent bug-fix|refactor|trivial|greenfield|mid-sized` changes it";
    expect(renderPhase(specum, facts({ intent: read("bug-fix") }))).toContain(
      `- Intent: looks like a bug fix (medium confidence); ${change}\n`,
    );
    const said: SpecIntent = { ...read("trivial"), by: "user" };
    expect(renderPhase(specum, facts({ intent: said }))).toContain(
      `- Intent: trivial, as the user said; ${change}\n`,
    );
  });

  it("says what already exists", () => {
    const documents = ["research.md", "requirements.md"];
    const text = renderPhase(specum, facts({ phase: phaseOf("requirements"), documents }));
    expect(text).toContain("Written so far: research.md\n");
    expect(text).toContain("requirements.md already exists");
  });

  it("says what the user added, quoted, and what is open", () => {
    const words = [
      { phase: "design", text: "use Redis" },
      { phase: "tasks", text: 'split "1.3"' },
    ];
    const open = [{ phase: "design", kind: "conflict", text: "FR-1 and FR-2" } as const];
    const text = renderPhase(specum, facts({ phase: phaseOf("tasks"), words, open }));
    expect(text).toContain(
      `- From the user, by .progress.md (design): "use Redis"\n- From the user, by .progress.md (this phase): "split \\"1.3\\""\n- 1. from design, CONFLICT: FR-1 and FR-2\n- Settle what is open`,
    );
    const many = Array.from({ length: 40 }, (_, i) => ({
      phase: "tasks",
      text: `word ${i} ${"x".repeat(2000)}`,
    }));
    expect(renderPhase(specum, facts({ words: many })).length).toBeLessThan(8000);
    expect(renderPhase(specum, facts())).not.toContain("Settle");
  });

  it("proposes the short way, or says that this is it", () => {
    const named = renderPhase(specum, facts({ isProvisional: true }));
    expect(named).toContain("\n\n`limits` is only made of the goal's words.");
    expect(renderPhase(specum, facts({ isProvisional: true, quick: true }))).toContain("`name: ");
    expect(renderPhase(specum, facts())).not.toContain("name:");
    expect(renderPhase(specum, facts({ looksSmall: true }))).toContain(
      "- Looks small: tell the user in one line that /ralph-specum:start limits --small takes the short way",
    );
    const phase = specum.shortPhases[0] as Phase;
    const text = renderPhase(specum, facts({ phase, small: true }));
    expect(text).toContain("/ralph-specum:start limits --full takes the long way");
    expect(text).toContain("/ralph-specum:tasks approves it");
  });

  it("takes the goal as data", () => {
    const goal = `\u001b[31m{{program}} $& ${"x".repeat(9000)}`;
    const text = renderPhase(speckit, facts({ phase: phaseOf("specify", speckit), goal }));
    expect(text).toContain("{{program}} $&");
    expect(text).not.toContain("\u001b");
    expect(text.length).toBeLessThan(5000);
  });
});

it("a document goes back with what is wrong, cut to what one reads", () => {
  const findings = Array.from({ length: 20 }, (_, i) => `design.md:${i} lacks ${i}`);
  const text = renderBack(specum, facts().spec, phaseOf("design"), {
    iteration: 4,
    round: 2,
    findings,
  });
  expect(text).toContain("Continue spec: limits (phase design, Iter 4)");
  expect(text).toContain("round 2 of 3");
  expect(text).toContain("- design.md:11 lacks 11\n- and 8 more");
  expect(renderFindings(["a\nb"])).toBe("- a b");
});
