import { clean } from "../../text/template.ts";

/** What another tool's list says, in our words. Its own ids only connect its parts. */
export interface Foreign {
  /** For people: `prd.json`, `Task Master`. */
  readonly format: string;
  readonly title: string | undefined;
  readonly goal: string | undefined;
  readonly tasks: readonly ForeignTask[];
  /** Commands that the whole is checked with, as the file itself says. */
  readonly checks: readonly string[];
  /** What is in it and cannot be carried over. */
  readonly left: readonly string[];
  /** Its whole text, if that is a list in our grammar already. */
  readonly whole?: string;
}

export interface ForeignStory {
  readonly title: string;
  readonly text: string;
  readonly criteria: readonly string[];
}

/** A task that is listed as its parts. */
export interface ForeignWhole {
  readonly id: string | undefined;
  readonly dependsOn: readonly string[];
}

export interface ForeignTask {
  /** What the file calls it. It need not be the only one: see `connect.ts`. */
  readonly id: string | undefined;
  /** The same object for all parts of one task. */
  readonly partOf?: ForeignWhole;
  readonly title: string;
  /** What it is listed under. */
  readonly group: string | undefined;
  readonly steps: readonly string[];
  readonly doneWhen: readonly string[];
  readonly files: readonly string[];
  /** The command that the file says it is verified with. */
  readonly verify: string | undefined;
  readonly isDone: boolean;
  readonly dependsOn: readonly string[];
  readonly story: ForeignStory | undefined;
}

/** Why a file is not a list that can be imported. */
export class NotAList extends Error {
  constructor(
    readonly why: string,
    readonly fix: string,
  ) {
    super(why);
  }
}

/** Nobody works through more, and a file with more was not written for us. */
export const MAX_TASKS = 2000;
export const tooLong = (): NotAList =>
  new NotAList(`it has more than ${MAX_TASKS} tasks`, "split it, and import the parts");
/** Of each task, this many dependencies count. */
export const MAX_DEPENDENCIES = 100;
const MAX_LINE = 600;

/**
 * Text of a foreign file, as part of a line of ours. It may not become more than text there: a comment that hides what
 * follows, a field with a command, a box, a tag.
 */
export function plain(text: string, max = MAX_LINE): string {
  const line = clean(text)
    .replace(/\s+/g, " ")
    .replace(/\*\*|__/g, "")
    .replaceAll("<!--", "<! --")
    .trim()
    .replace(/^(?:[-*+>#|]+|\d+[.)])\s+/, "")
    .replace(/^\[[ xX]?\]\s*/, "")
    .replace(/^\[/, "\\[");
  return line.length > max ? `${line.slice(0, max - 1).trimEnd()}…` : line;
}

/** The lines of a text that say something. */
export const linesOf = (text: string): string[] =>
  text
    .split(/\r?\n/)
    .filter((line) => !/^\s*(?:```|~~~)/.test(line))
    .map((line) => plain(line))
    .filter((line) => line !== "");

/** `` `npm test` passes ``: only a command that the author wrote as one is run. */
export function commandIn(text: string): string | undefined {
  const [, command] =
    /^(?:run\s+|verify:\s*)?`([^`\n]{1,300})`(?:\s+(?:passes|succeeds|exits (?:with )?0|runs clean))?[.;]?$/i.exec(
      clean(text).trim(),
    ) ?? [];
  return command !== undefined && /\s|\//.test(command) ? command : undefined;
}

/** All the commands among a story's criteria, as one. */
export function verifyIn(criteria: readonly string[]): string | undefined {
  const commands = criteria.map(commandIn).filter((one) => one !== undefined);
  return commands.length === 0 ? undefined : commands.join(" && ");
}
