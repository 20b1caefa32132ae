import { isName } from "./name.ts";

/** What the words after the command of a phase mean. */
export interface PhaseWords {
  /** The spec; undefined for the active one. */
  readonly name: string | undefined;
  /** What the user adds for the agents. */
  readonly said: string;
}

/**
 * A first word that names a spec is one, as for `start`; everything else is for the prompt. One word that can only be
 * meant as a name, `rate-limit` or a path, is not taken for a remark.
 */
export function planPhaseWords(
  words: readonly string[],
  isSpec: (word: string) => boolean,
): PhaseWords {
  const [first, ...rest] = words;
  if (first === undefined) return { name: undefined, said: "" };
  const looksNamed = /^\.{0,2}[/\\]/.test(first) || (isName(first) && first.includes("-"));
  return isSpec(first) || (rest.length === 0 && looksNamed)
    ? { name: first, said: rest.join(" ") }
    : { name: undefined, said: words.join(" ") };
}
