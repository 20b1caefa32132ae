/** What a slash command adds to its line: its session, and whether the client may report it only later. */
export interface Typed {
  readonly session: string;
  readonly early: boolean;
  /** What is left of the command line. */
  readonly rest: readonly string[];
}

const FLAG = "--typed";
const EARLY = "--early";

export function takeTyped(argv: readonly string[]): Typed | undefined {
  const at = argv.indexOf(FLAG);
  if (at === -1) return undefined;
  const session = argv[at + 1] ?? "";
  const rest = [...argv.slice(0, at), ...argv.slice(at + 2)];
  return { session, early: rest.includes(EARLY), rest: rest.filter((word) => word !== EARLY) };
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
