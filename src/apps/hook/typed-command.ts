import { readFileSync } from "node:fs";
import { join } from "node:path";
import { inVoice, parseCommandFile } from "../../hosts/command-file.ts";
import type { Environment, Host } from "../../hosts/host.ts";
import type { Edition } from "../../layouts/layout.ts";
import type { Ticket } from "../../run/ticket.ts";
import { runProgram } from "./run-program.ts";

declare const __dirname: string;

const FAILED = "the command could not be run";

/**
 * What one of our commands adds to the prompt, in a client that only reports what was typed. The ticket is there: the
 * program takes the words and the user's authority from it.
 */
export function runTyped(
  layout: Edition,
  host: Host,
  session: string,
  { command, args }: Pick<Ticket, "command" | "args">,
  env: Environment,
): string | undefined {
  const text = readCommand(command);
  if (text === undefined) return undefined;
  return parseCommandFile(text)
    .map((part) => {
      if (part.kind === "text") return inVoice(layout, part.text, args);
      const typed = part.isTyped ? ["--typed", session, "--as-prompt"] : [];
      return runProgram(layout, host, [...part.words, ...typed], env, "", FAILED).trim();
    })
    .filter((part) => part !== "")
    .join("\n\n");
}

/** The name has only letters and dashes. */
function readCommand(name: string): string | undefined {
  try {
    return readFileSync(join(__dirname, "..", "commands", `${name}.md`), "utf8");
  } catch {
    return undefined;
  }
}
