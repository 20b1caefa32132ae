import type { Layout } from "./layout.ts";

/** GitHub's Spec Kit: its scripts work on the same files, so names, branches and templates are theirs. */
export const speckit: Layout = {
  id: "speckit",
  plugin: "ralph-speckit",
  description:
    "Takes a Spec Kit feature from its goal to tasks.md, and works through it until every task is done and proven. Self-contained: it needs no other plugin.",
  unit: "feature",
  pointer: ".current-feature",
  pointerIn: ".specify",
  specsDirs: [".specify/specs", "specs"],
  marker: ".specify",
  setUpBy: [".specify/templates", ".specify/memory", ".specify/scripts"],
  stateFile: ".speckit-state.json",
  journalFile: ".speckit-journal.jsonl",
  lockFile: ".speckit-lock",
  atLimit: "release",
  phases: [
    {
      name: "specify",
      document: "spec.md",
      agent: "product-manager",
      questions: 3,
      beside: ["checklists/requirements.md"],
    },
    {
      name: "plan",
      document: "plan.md",
      agent: "architect-reviewer",
      beside: ["research.md", "data-model.md", "contracts/", "quickstart.md"],
    },
    { name: "tasks", document: "tasks.md", agent: "task-planner" },
  ],
  shortPhases: [
    { name: "specify", document: "spec.md", agent: "architect-reviewer", questions: 3 },
    { name: "tasks", document: "tasks.md", agent: "task-planner" },
  ],
  given: "input.md",
  requirements: "spec.md",
  firstTask: "T001",
  requirementForm: "user-stories",
  numbered: true,
  // Its scripts derive the feature from the branch's name.
  branchFor: (spec) => spec,
  templates: {
    core: ".specify/templates",
    presets: ".specify/presets",
    extensions: ".specify/extensions",
  },
  archive: "_archive",
  peer: {
    folderVariable: "SPECIFY_FEATURE_DIRECTORY",
    nameVariable: "SPECIFY_FEATURE",
    file: ".specify/feature.json",
    field: "feature_directory",
    options: ".specify/init-options.json",
    branches: ".specify/extensions/git/git-config.yml",
    hooks: ".specify/extensions.yml",
    extensions: ".specify/extensions",
  },
  checklists: { folder: "checklists", own: "requirements.md" },
};
