import { isAllowed } from "../../run/allowed-commands.ts";

/** More would be a list that nobody reads before saying yes to it. */
const MAX_RULES = 40;
const MAX_LENGTH = 200;

/** What a rule reads as a pattern or an escape, or what does not fit on the line that shows it. */
const NOT_EXACT = /[*\\\p{C}]/u;

/** The rules that allow these commands and nothing else; a command that no such rule can name is `uncovered`. */
export function planExact(
  commands: readonly string[],
  known: readonly unknown[],
): { rules: readonly string[]; uncovered: readonly string[] } {
  const asked = [...new Set(commands)].filter(
    (command) => !known.some((rule) => typeof rule === "string" && covers(rule, command)),
  );
  const exact = asked
    .filter((command) => command.length <= MAX_LENGTH && !NOT_EXACT.test(command))
    .slice(0, MAX_RULES);
  return {
    rules: exact.map((command) => `Bash(${command})`),
    uncovered: asked.filter((command) => !exact.includes(command)),
  };
}

/** Whether the client runs a command unasked because of a rule, as far as that is certain. */
function covers(rule: string, command: string): boolean {
  if (rule === "Bash" || rule === "Bash(*)") return true;
  const said = /^Bash\((.*)\)$/s.exec(rule)?.[1];
  const start = said === undefined ? undefined : /^(.+?)(?::| )\*$/s.exec(said)?.[1];
  return start === undefined ? said === command : isAllowed(command, [start]);
}
