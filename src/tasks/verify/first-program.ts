import { parseShell } from "./shell.ts";

/** What a shell does itself. */
const BUILT_IN = new Set(
  `. : [ [[ alias bg break builtin cd command continue declare dirs echo eval exec exit export false fg getopts hash
  help history jobs kill let local popd printf pushd pwd read readonly return set shift shopt source test time times
  trap true type typeset ulimit umask unalias unset wait`.split(/\s+/),
);

/** The name of the program that a command begins with; undefined for a path, or if it is not easy to tell. */
export function firstProgram(command: string): string | undefined {
  const word = parseShell(command)?.parts[0]?.words.find((one) => one !== "!") ?? "";
  return /^[\w.+@-]+$/.test(word) && !BUILT_IN.has(word) ? word : undefined;
}
