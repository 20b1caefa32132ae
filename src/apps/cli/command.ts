import type { Layout } from "../../layouts/layout.ts";
import type { Now } from "../../run/loop.ts";
import type { Caller } from "../../engine/caller.ts";

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
  /** A fault of ours. */
  fault: 70,
} as const;

export type ExitCode = (typeof EXIT)[keyof typeof EXIT];

/** An expected failure: what is wrong, and what to do about it. */
export class CliError extends Error {
  override readonly name = "CliError";
  readonly code: ExitCode;
  readonly fix: string | undefined;

  constructor(code: ExitCode, message: string, fix?: string) {
    super(message);
    this.code = code;
    this.fix = fix;
  }
}

export interface Option {
  readonly type: "string" | "boolean";
  /** Shown as `--name <value>`. */
  readonly value?: string;
  /** May be given more than once. */
  readonly multiple?: boolean;
  readonly summary: string;
}

export interface Context {
  /** Who runs this, and in whose name. */
  readonly caller: Caller;
  /** Fixed by the plugin's own program; found out otherwise. */
  readonly layout: Layout | undefined;
  readonly cwd: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly now: () => Now;
  /** What users type to run this: `ralph-specum`, or `smart-ralph`. */
  readonly program: string;
  readonly colour: boolean;
  readonly readStdin: () => string;
  /** For commands that show something while they run. */
  readonly write: (text: string) => void;
}

export interface Input {
  readonly args: readonly string[];
  readonly options: Readonly<Record<string, string | boolean | readonly string[] | undefined>>;
}

export interface Result {
  readonly code?: ExitCode;
  readonly text: string;
  readonly json: object;
}

export interface Command {
  readonly name: string;
  readonly summary: string;
  /** Positional arguments as they are shown, `[spec]` or `<task>`; a last one `<goal…>` takes all the words that are left. */
  readonly args?: readonly string[];
  readonly options?: Readonly<Record<string, Option>>;
  /** Who calls it: heads the list in `--help`. */
  readonly group: "plan" | "run" | "agent" | "look" | "hook";
  readonly details?: string;
  readonly run: (context: Context, input: Input) => Result | Promise<Result>;
}
