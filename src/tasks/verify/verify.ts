import { type Found, findCommands } from "../verify-command.ts";
import { findVacuum } from "./cannot-fail.ts";
import { countsEachFile } from "./command-kind.ts";
import { type Expectation, formatExpectation } from "./expectation.ts";
import { parseShell } from "./shell.ts";
import { readWords } from "./words.ts";

/** A command of a **Verify**, and what it has to do. */
export interface Check {
  readonly command: string;
  readonly expects: Expectation;
  /** Why it proves nothing, however it ends. */
  readonly doubt?: Doubt;
}

export interface Doubt {
  readonly kind: "cannot-fail" | "not-understood";
  /** A clause that follows "because". */
  readonly why: string;
  readonly fix: string;
}

export interface Verify {
  readonly checks: readonly Check[];
  /** Why there is nothing to run. */
  readonly nothing?: Nothing;
}

export interface Nothing {
  readonly kind: "prose" | "manual" | "slash-command" | "empty";
  readonly why: string;
  readonly fix: string;
}

/** What a **Verify** says: its commands, and what each is expected to do. */
export function parseVerify(text: string): Verify {
  const { commands, instead } = findCommands(text);
  if (commands.length > 0) return { checks: commands.map(readCheck) };
  const kind = text.trim() === "" ? "empty" : (instead ?? "prose");
  return { checks: [], nothing: { kind, ...NOTHING[kind] } };
}

const COMMAND = "Write a command in backticks that exits with 0 only when the task is done.";
const NOTHING: Readonly<Record<Nothing["kind"], Omit<Nothing, "kind">>> = {
  empty: { why: "it is empty", fix: COMMAND },
  prose: { why: "it is not a command", fix: COMMAND },
  manual: {
    why: "it is to be done by hand",
    fix: "Write a command in backticks that checks the same, or leave the check to the user and say so in **Done when**.",
  },
  "slash-command": {
    why: "a slash command runs only inside the client",
    fix: "Write a shell command in backticks that checks what the slash command leaves behind.",
  },
};

function readCheck({ command, before, after }: Found): Check {
  const comment = parseShell(command)?.comment;
  const said =
    after.trim() === "" && comment !== undefined ? `(${comment.replace(/[()]/g, " ")})` : after;
  const { expects, unclear } = readWords(command, said, before);
  const vacuum = findVacuum(command);
  const judgesOutput = !["exit", "fails", "any"].includes(expects.kind);
  if (vacuum !== undefined && (vacuum.isConstant || !judgesOutput)) {
    const { why, fix } = vacuum;
    const neverMet = expects.kind === "fails" || (expects.kind === "exit" && expects.code !== 0);
    return {
      command,
      expects: neverMet ? { kind: "any" } : expects,
      doubt: { kind: "cannot-fail", why, fix },
    };
  }
  if (
    expects.kind === "number" &&
    !(expects.is === "=" && expects.value === 0) &&
    countsEachFile(command)
  )
    return {
      command,
      expects: { kind: "any" },
      doubt: {
        kind: "not-understood",
        why: "it prints a count for each file, and which of them is meant is not said",
        fix: "Count all of them together: `cat … | grep -c …` returns 3.",
      },
    };
  if (unclear === undefined) return { command, expects };
  return {
    command,
    expects,
    doubt: {
      kind: "not-understood",
      why: `"${unclear.length > 80 ? `${unclear.slice(0, 79)}…` : unclear}" is not something that we can check`,
      fix: 'Say it as `…` returns 3, prints nothing, contains "text", exits 2 or fails; or write a command that exits with 0 only if it is so.',
    },
  };
}

/** A command and what is expected of it, in one text; just the command for exit 0. */
export function formatCheck({ command, expects }: Check): string {
  const words = formatExpectation(expects);
  return words === "" ? command : `${command} (${words})`;
}
