import type { RefusalKind } from "../../engine/refusal.ts";
import type { Request } from "../../engine/request.ts";
import type { Host } from "../../hosts/host.ts";
import type { LayoutId } from "../../layouts/layout.ts";
import { RUN_ENDS, type RunStatus } from "../../runner/run-status.ts";

/** What a shell, a script or an agent sees. Documented in `--help`; never renumbered. */
export const EXIT = {
  ok: 0,
  /** A well-formed no: a claim was refused, a check failed. */
  refused: 1,
  /** The command line is wrong. */
  usage: 2,
  /** No spec, no task, or no run to act on. */
  missing: 3,
  /** A file is corrupt, unreadable or held by another process. */
  broken: 4,
  unavailable: RUN_ENDS.unavailable.exit,
  /** An internal error. */
  internal: 70,
} as const satisfies Record<RefusalKind | "ok" | "internal", number>;

/** `run` has one for each of its ends, too. */
export type ExitCode = (typeof EXIT)[keyof typeof EXIT] | (typeof RUN_ENDS)[RunStatus]["exit"];
export const EXIT_CODES: readonly ExitCode[] = [
  ...Object.values(EXIT),
  ...Object.values(RUN_ENDS).map(({ exit }) => exit),
];

export interface Option {
  /** It takes one, shown as `--name <value>`; an option without is on or off. */
  readonly value?: string;
  /** One letter, for `-f`. */
  readonly short?: string;
  /** Everything that it takes, for completion. */
  readonly choices?: readonly string[];
  /** Can be repeated. */
  readonly multiple?: boolean;
  /** With it, a command that looks changes something too. */
  readonly writes?: true;
  readonly summary: string;
}

/** Who runs a command, and in which terminal. */
export interface Context extends Request {
  /** The client that runs it, or whose words are used. */
  readonly host: Host;
  readonly colour: boolean;
  /** Columns of the terminal. Undefined in a pipe, where nothing is cut. */
  readonly width: number | undefined;
  readonly readStdin: () => string;
  /** For commands that show progress. False once nobody reads it any more. */
  readonly write: (text: string) => boolean;
}

export interface Input {
  readonly args: readonly string[];
  readonly options: Readonly<Record<string, string | boolean | readonly string[] | undefined>>;
}

export interface Result {
  /** False: a well-formed no. */
  readonly ok?: boolean;
  /** If `ok` does not say it. */
  readonly code?: ExitCode;
  readonly text: string;
  /** What `--json` prints after `ok`. */
  readonly json?: object;
  /** Text to be copied or piped: lines are not wrapped to the terminal. */
  readonly verbatim?: true;
  /** As JSON, everything was printed as it happened. */
  readonly streamed?: true;
  /** One line for a person in a shell, on standard error. */
  readonly aside?: string;
}

export const codeOf = ({ ok = true, code = ok ? EXIT.ok : EXIT.refused }: Result): ExitCode => code;

/** Who calls a command: the heading in `--help`. */
export type Group = "plan" | "run" | "agent" | "look" | "hook";

/** As its file has it; the list of all in `commands.ts` gives it its name and group. */
export interface Command {
  readonly summary: string;
  /** Positional arguments as shown, `[spec]` or `<task>`; a final `<goal…>` takes all remaining words. */
  readonly args?: readonly string[];
  readonly options?: Readonly<Record<string, Option>>;
  /** Of those that look: it also changes files of the project, or runs commands of it. */
  readonly writes?: true;
  readonly details?: string;
  /** What its exit codes mean, if it has others than most. */
  readonly exits?: string;
  /** Only the program of the shell has it, not those of the plugins. */
  readonly shellOnly?: true;
  /** The layouts that have it; undefined for all. */
  readonly layouts?: readonly LayoutId[];
  readonly run: (context: Context, input: Input) => Result | Promise<Result>;
}

export interface NamedCommand extends Command {
  readonly name: string;
  readonly group: Group;
}
