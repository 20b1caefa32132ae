import { describe, expect, it } from "vitest";
import { layouts, speckit, specum } from "../../test/support/editions.ts";
import type { Phase } from "../layouts/layout.ts";
import { intentOf } from "../spec/intent.ts";
import { type PhaseFacts, renderBack, renderFindings, renderPhase } from "./phase.ts";

const phaseOf = (name: string, layout = specum): Phase =>
  layout.phases.find((phase) => phase.name === name) as Phase;

const facts = (more: Partial<PhaseFacts> = {}): PhaseFacts => ({
  spec: { name: "limits", basePath: "./specs/limits" },
  phase: phaseOf("research"),
  goal: "limit requests per key",
  quick: false,
  intent: intentOf("mid-sized"),
  granularity: "coarse",
  documents: [],
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
    const bug = facts({ intent: intentOf("bug-fix") });
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
    expect(text).toContain("The next phase is handed to you with that result.");
  });

  it("gives the planner the size of the tasks", () => {
    const text = renderPhase(
      specum,
      facts({ phase: phaseOf("tasks"), intent: intentOf("greenfield") }),
    );
    expect(text).toContain("- Intent: greenfield\n- Granularity: coarse\n");
    expect(renderPhase(specum, facts())).not.toContain("Granularity");
  });

  it("says what already exists", () => {
    const documents = ["research.md", "requirements.md"];
    const text = renderPhase(specum, facts({ phase: phaseOf("requirements"), documents }));
    expect(text).toContain("Written so far: research.md\n");
    expect(text).toContain("requirements.md already exists");
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
