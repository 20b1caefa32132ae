/** Where a product line keeps its specs and what it calls things. A layout is a value; all code is shared. */
export interface Layout {
  readonly id: "specum" | "speckit";
  /** Plugin and program name, and the prefix of everything we log. */
  readonly plugin: "ralph-specum" | "ralph-speckit";
  /** What users call a spec here. */
  readonly unit: "spec" | "feature";
  /** Pointer to the active spec, below the folder that `pointerIn` names. */
  readonly pointer: string;
  /** `specs-dir`: the pointer lies in the first of `specs_dirs`; otherwise at this fixed folder. */
  readonly pointerIn: "specs-dir" | ".specify";
  /** Where specs are looked for, in this order, unless the settings say otherwise. */
  readonly specsDirs: readonly [string, ...string[]];
  readonly stateFile: string;
  readonly journalFile: string;
  readonly lockFile: string;
  readonly settingsFile: string;
  /** At the iteration limit: `advise` sends the agent one last prompt, `release` only tells the user. */
  readonly atLimit: "advise" | "release";
  /** The way to a list of tasks, in this order. Execution follows the last one. */
  readonly phases: readonly Phase[];
  /** What the user had written before the spec began, kept in its folder. */
  readonly given: string;
  /** The document whose requirements the tasks refer to. */
  readonly requirements: string;
}

/** A step on the way to a list of tasks. It ends with a document; the command that begins it has its name. */
export interface Phase {
  readonly name: string;
  readonly document: string;
  /** The sub-agent that writes the document. */
  readonly agent: string;
}

export const EXECUTION = "execution";

/**
 * A large goal that is split into specs. In every layout the folder of epics, which is no spec, and the pointer to the
 * active one lie beside the specs; the rest lies in the epic's own folder.
 */
export const EPIC_FILES = {
  folder: "_epics",
  pointer: ".current-epic",
  state: ".epic-state.json",
  document: "epic.md",
  lock: ".epic-lock",
} as const;

export const specum: Layout = {
  id: "specum",
  plugin: "ralph-specum",
  unit: "spec",
  pointer: ".current-spec",
  pointerIn: "specs-dir",
  specsDirs: ["specs"],
  stateFile: ".ralph-state.json",
  journalFile: ".ralph-journal.jsonl",
  lockFile: ".ralph-lock",
  settingsFile: ".claude/ralph-specum.local.md",
  atLimit: "advise",
  phases: [
    { name: "research", document: "research.md", agent: "research-analyst" },
    { name: "requirements", document: "requirements.md", agent: "product-manager" },
    { name: "design", document: "design.md", agent: "architect-reviewer" },
    { name: "tasks", document: "tasks.md", agent: "task-planner" },
  ],
  given: "plan.md",
  requirements: "requirements.md",
};

export const speckit: Layout = {
  id: "speckit",
  plugin: "ralph-speckit",
  unit: "feature",
  pointer: ".current-feature",
  pointerIn: ".specify",
  specsDirs: [".specify/specs", "specs"],
  stateFile: ".speckit-state.json",
  journalFile: ".speckit-journal.jsonl",
  lockFile: ".speckit-lock",
  settingsFile: ".claude/ralph-speckit.local.md",
  atLimit: "release",
  phases: [
    { name: "specify", document: "spec.md", agent: "product-manager" },
    { name: "plan", document: "plan.md", agent: "architect-reviewer" },
    { name: "tasks", document: "tasks.md", agent: "task-planner" },
  ],
  given: "input.md",
  requirements: "spec.md",
};

export const layouts: readonly Layout[] = [specum, speckit];

/** `/ralph-specum:implement`, as the user types it. */
export const slash = (layout: Layout, command: string): string => `/${layout.plugin}:${command}`;

/** `Ralph-specum`, as it stands at the head of a line to the user. */
export const brand = ({ plugin }: Layout): string => capital(plugin);

export const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);
