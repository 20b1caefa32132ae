import { parseShell } from "./shell.ts";

/** What a shell does itself. */
const BUILT_IN = new Set(
  `. : [ [[ alias bg break builtin cd command continue coproc declare dirs echo eval exec exit export false fg getopts hash
  help history jobs kill let local popd printf pushd pwd read readonly return set shift shopt source test time times
  trap true type typeset ulimit umask unalias unset wait`.split(/\s+/),
);

/** The program without which a command fails at once; undefined for a path, or if it is not easy to tell. */
export function firstProgram(command: string): string | undefined {
  const parts = parseShell(command)?.parts ?? [];
  // Joined in any other way, or inverted, the whole may pass without its first command.
  if (parts.slice(1).some(({ joint }) => joint !== "&&")) return undefined;
  const word = parts[0]?.joint === "" ? (parts[0].words[0] ?? "") : "";
  return /^[\w.+@-]+$/.test(word) && !BUILT_IN.has(word) ? word : undefined;
}
