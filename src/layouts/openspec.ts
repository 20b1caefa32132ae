import type { Layout } from "./layout.ts";

/**
 * OpenSpec: its commands work on the same files. It takes every folder next to the changes for a change, so what is
 * ours is hidden in the change's folder, or outside of `changes`.
 */
export const openspec: Layout = {
  id: "openspec",
  plugin: "ralph-openspec",
  description:
    "Takes an OpenSpec change from its goal to tasks.md, and works through it until every task is done and proven. Self-contained: it needs no other plugin.",
  unit: "change",
  pointer: ".current-change",
  pointerIn: "openspec",
  specsDirs: ["openspec/changes"],
  extras: "openspec",
  marker: "openspec",
  setUpBy: [],
  stateFile: ".ralph-change-state.json",
  journalFile: ".ralph-change-journal.jsonl",
  lockFile: ".ralph-change-lock",
  atLimit: "release",
  phases: [
    { name: "proposal", document: "proposal.md", agent: "proposal-writer" },
    { name: "specs", document: "specs/", agent: "product-manager" },
    { name: "design", document: "design.md", agent: "architect-reviewer" },
    { name: "tasks", document: "tasks.md", agent: "task-planner" },
  ],
  shortPhases: [
    { name: "proposal", document: "proposal.md", agent: "architect-reviewer" },
    { name: "specs", document: "specs/", agent: "product-manager" },
    { name: "tasks", document: "tasks.md", agent: "task-planner" },
  ],
  // It begins with what is wrong today, which reads like a bug.
  goalSection: "What Changes",
  given: "input.md",
  requirements: "specs/",
  firstTask: "1.1",
  noRequirements: { file: ".openspec.yaml", says: /^skip_specs:\s*true\s*(?:#.*)?$/m },
  requirementForm: "delta",
  numbered: false,
  branchFor: (spec) => `change/${spec}`,
  archive: "archive",
  archivedBy: (spec) => `openspec archive ${spec}`,
};
