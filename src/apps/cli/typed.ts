/** What a slash command adds to its line: its session, and how the client goes about it. */
export interface Typed {
  readonly session: string;
  /** The client may report what was typed only later. */
  readonly early: boolean;
  /** What is printed becomes the prompt; if the line fails, the client shows the user all of it instead. */
  readonly asPrompt: boolean;
  /** What is left of the command line. */
  readonly rest: readonly string[];
}

const FLAG = "--typed";
const EARLY = "--early";
const AS_PROMPT = "--as-prompt";

export function takeTyped(argv: readonly string[]): Typed | undefined {
  const at = argv.indexOf(FLAG);
  if (at === -1) return undefined;
  const session = argv[at + 1] ?? "";
  const rest = [...argv.slice(0, at), ...argv.slice(at + 2)];
  return {
    session,
    early: rest.includes(EARLY),
    asPrompt: rest.includes(AS_PROMPT),
    rest: rest.filter((word) => word !== EARLY && word !== AS_PROMPT),
  };
}

/** Slash commands whose line runs a command of another name. */
const OTHER_NAMES: Readonly<Record<string, readonly string[]>> = {
  context: ["refactor", "clarify", "checklist"],
  "tasks list": ["taskstoissues"],
};

/** The slash commands that a command may have been typed as. */
export const slashNames = (command: string): readonly string[] => OTHER_NAMES[command] ?? [command];

/** For clients that report what was typed only after running the command file: the agent runs it again. */
export const renderEarly = (program: string, command: string, session: string): string =>
  `Run this once, exactly as written, and follow what it prints:\n\n${program} ${command} ${FLAG} ${session}`;
