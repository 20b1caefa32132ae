/** Templates are stored by id: a new layout has to bring its own. */
export type LayoutId = "specum" | "speckit" | "openspec";

/** Where a product line keeps its specs and what it calls things. A layout is a value; all code is shared. */
export interface Layout {
  readonly id: LayoutId;
  /** The name of the plugin and the program, and the prefix of everything we log. */
  readonly plugin: string;
  /** A sentence or two for plugin lists. */
  readonly description: string;
  /** What users call a spec here. */
  readonly unit: string;
  /** Pointer to the active spec, in the folder that `pointerIn` names. */
  readonly pointer: string;
  /** `specs-dir`: the pointer is in the first of `specs_dirs`; otherwise in this folder. */
  readonly pointerIn: string;
  /** Where to look for specs, in this order, unless the settings say otherwise. */
  readonly specsDirs: readonly [string, ...string[]];
  /** Where epics and the index of the code are, if not in the first of `specsDirs`. */
  readonly extras?: string;
  /** A folder that only projects of this layout have. */
  readonly marker?: string;
  /** Files that show that the layout's own tool set up the project: new specs then go to the last of `specsDirs`. */
  readonly setUpBy: readonly string[];
  readonly stateFile: string;
  readonly journalFile: string;
  readonly lockFile: string;
  /** At the iteration limit: `advise` sends the agent one last prompt, `release` only tells the user. */
  readonly atLimit: "advise" | "release";
  /** The steps to a list of tasks, in order. Execution follows the last one. */
  readonly phases: readonly Phase[];
  /** The same for a small goal: one planning document, which holds the requirements and the design, then the tasks. */
  readonly shortPhases: readonly Phase[];
  /** The section of its first document that says what is to be done; otherwise its first paragraph does. */
  readonly goalSection?: string;
  /** What the user wrote before the spec began, kept in its folder. */
  readonly given: string;
  /** The document whose requirements the tasks refer to. */
  readonly requirements: string;
  /** How its requirements are written: stories with ids, Spec Kit's stories, or the delta of a spec. */
  readonly requirementForm: "stories" | "user-stories" | "delta";
  /** The file in a spec's folder, and the line in it, that say that there are no requirements to write. */
  readonly noRequirements?: { readonly file: string; readonly says: RegExp };
  /** The id of the first task, as the layout's lists are numbered. */
  readonly firstTask: string;
  /** Whether names of specs are numbered, `001-login`. */
  readonly numbered: boolean;
  readonly branchFor: (spec: string) => string;
  /** Folders with the project's own document templates, if the layout has any. */
  readonly templates?: {
    /** Its overrides are in a folder of this name below. */
    readonly core: string;
    readonly presets: string;
    readonly extensions: string;
  };
  /** How another tool on the same files says which spec is current. */
  readonly peer?: Peer;
  /** The folder, next to the specs, that holds those put away. Not a spec, and nothing in it is one. */
  readonly archive: string;
  /** What the layout's own tool is told to put a spec away, where that means more than to move its folder. */
  readonly archivedBy?: (spec: string) => string;
  /** Lists of questions about the documents, which are answered before a run begins. */
  readonly checklists?: Checklists;
}

/** A step on the way to a list of tasks. It ends with a document; its command has the same name. */
export interface Phase {
  readonly name: string;
  /** A file; or, with a slash at its end, a folder with a `spec.md` in each of its folders. */
  readonly document: string;
  /** The sub-agent that writes the document. */
  readonly agent: string;
  /** How many `[NEEDS CLARIFICATION: …]` may stay in the document, for the user to answer before the next phase ends. */
  readonly questions?: number;
  /** What belongs to the document, as far as the spec needs it: files, and folders with a slash at the end. */
  readonly beside?: readonly string[];
}

/** The layout's own tool: what tells its scripts which spec is current, and how the project has set it up. */
export interface Peer {
  readonly folderVariable: string;
  readonly nameVariable: string;
  /** A JSON file with the spec's folder in `field`. */
  readonly file: string;
  readonly field: string;
  /** JSON: how specs are numbered. */
  readonly options: string;
  /** YAML: how branches are called. */
  readonly branches: string;
  /** YAML: commands that its extensions want to be run before and after its own. */
  readonly hooks: string;
  /** The folder with its extensions. */
  readonly extensions: string;
}

export interface Checklists {
  /** In the spec's folder. */
  readonly folder: string;
  /** The file there that the first phase keeps, about the requirements themselves. All others are the user's. */
  readonly own: string;
}

/** How the users of one client invoke commands and agents. */
export interface Voice {
  /** Starts every line to the user: `Ralph-specum`. */
  readonly brand: string;
  /** As the user types it: `/ralph-specum:implement`. */
  readonly command: (name: string) => string;
  /** As the coordinator calls it: `ralph-specum:spec-executor`. */
  readonly agent: (name: string) => string;
  readonly worker: Worker;
  /** How an agent calls our program in a shell. */
  readonly program: string;
  /** The tool that asks the user. */
  readonly questionTool: string;
  /** How many questions that tool takes at once, if there is a limit. */
  readonly questionsAtOnce?: number;
}

/** Who does the work: sub-agents that the main agent starts with this tool, or the main agent itself. */
export type Worker =
  | { readonly kind: "agents"; readonly tool: string }
  | {
      readonly kind: "self";
      /** The client begins each turn of ours with an empty context. */
      readonly forgets: boolean;
      /** How it reports: with its last message, or where the client counts turns, with a command that brings the next task. */
      readonly reports: "stop" | "command";
    };

/** A layout as the users of one client see it. */
export interface Edition extends Layout {
  readonly voice: Voice;
  /** The project's settings, relative to its root. */
  readonly settingsFile: string;
}

/** Whether the main agent does the tasks and writes the documents itself. */
export const worksItself = ({ voice }: Edition): boolean => voice.worker.kind === "self";

export const EXECUTION = "execution";

/** What waits for the user, in a spec's folder. */
export const INBOX_FILE = ".inbox.json";

/** Where a project's constitution is, in every layout. */
export const MEMORY_FOLDER = ".specify/memory";
/** The only document that belongs to the project, not to a spec. */
export const CONSTITUTION = "constitution.md";

/**
 * A large goal that is split into specs. In every layout the folder of epics, which is not a spec, and the pointer to
 * the active one are next to the specs; the rest is in the epic's own folder.
 */
export const EPIC_FILES = {
  folder: "_epics",
  pointer: ".current-epic",
  state: ".epic-state.json",
  document: "epic.md",
  lock: ".epic-lock",
} as const;

/** Folders next to the specs that are not specs: none may have such a name. */
export const reservedNames = ({ archive }: Layout): readonly string[] => [
  EPIC_FILES.folder,
  archive,
];
