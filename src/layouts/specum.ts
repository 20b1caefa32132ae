import type { Layout } from "./layout.ts";

export const specum: Layout = {
  id: "specum",
  plugin: "ralph-specum",
  description:
    "Takes a goal to research, requirements, design and tasks, and works through these until every one is done and proven. Self-contained: it needs no other plugin.",
  unit: "spec",
  pointer: ".current-spec",
  pointerIn: "specs-dir",
  specsDirs: ["specs"],
  setUpBy: [],
  stateFile: ".ralph-state.json",
  journalFile: ".ralph-journal.jsonl",
  lockFile: ".ralph-lock",
  atLimit: "advise",
  phases: [
    { name: "research", document: "research.md", agent: "research-analyst" },
    { name: "requirements", document: "requirements.md", agent: "product-manager" },
    { name: "design", document: "design.md", agent: "architect-reviewer" },
    { name: "tasks", document: "tasks.md", agent: "task-planner" },
  ],
  shortPhases: [
    { name: "requirements", document: "requirements.md", agent: "architect-reviewer" },
    { name: "tasks", document: "tasks.md", agent: "task-planner" },
  ],
  given: "plan.md",
  requirements: "requirements.md",
  firstTask: "1.1",
  requirementForm: "stories",
  numbered: false,
  branchFor: (spec) => `feat/${spec}`,
  archive: "_archive",
};
