import { readFileSync } from "node:fs";
import { join } from "node:path";
import { parseCommandFile, renderCommandFile } from "../../hosts/command-file.ts";
import type { Environment, Host } from "../../hosts/host.ts";
import type { Edition } from "../../layouts/layout.ts";
import type { Ticket } from "../../run/ticket.ts";
import { runProgram } from "./run-program.ts";

declare const __dirname: string;

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
  const file = parseCommandFile(text);
  const printed =
    file.words === undefined
      ? ""
      : runProgram(layout, host, [...file.words, "--typed", session, "--as-prompt"], env, "");
  return renderCommandFile(layout, file, args, printed);
}

/** The name has only letters and dashes. */
function readCommand(name: string): string | undefined {
  try {
    return readFileSync(join(__dirname, "..", "commands", `${name}.md`), "utf8");
  } catch {
    return undefined;
  }
}
