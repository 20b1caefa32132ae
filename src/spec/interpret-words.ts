import { isName } from "./name.ts";

/** What `start` finds in the project. */
export interface ProjectFacts {
  /** Whether a word names a spec that exists, or several. */
  readonly isSpec: (word: string) => boolean;
  /** The active spec, unless it is finished. */
  readonly active: string | undefined;
  /** Other specs that are not finished. */
  readonly unfinished: readonly string[];
  /** The next unblocked spec of the active epic. */
  readonly epicNext: string | undefined;
  /** Whether a word is the path of a file that can be read. */
  readonly isFile: (word: string) => boolean;
}

export type StartPlan =
  /** The spec already has a goal; words after the name come too late. */
  | { readonly kind: "go-on"; readonly name: string; readonly goal?: string }
  /** Without a goal, the name or the epic's description must do. */
  | { readonly kind: "new"; readonly name?: string; readonly goal?: string }
  | { readonly kind: "from-file"; readonly name?: string; readonly path: string }
  | { readonly kind: "no-file"; readonly path: string }
  | { readonly kind: "choose"; readonly names: readonly string[] }
  | { readonly kind: "ask" };

/** What the user means by the words after `start`; asks nothing that can be found out. */
export function planStart(
  words: readonly string[],
  fresh: boolean,
  known: ProjectFacts,
): StartPlan {
  const [first, ...rest] = words;
  if (first === undefined) return planWithoutWords(fresh, known);
  const goal = rest.length === 0 ? {} : { goal: rest.join(" ") };
  if (rest.length === 0 && known.isFile(first)) return { kind: "from-file", path: first };
  if (rest.length === 0 && FILE.test(first)) return { kind: "no-file", path: first };
  // A goal may begin with a path too: `/login answers 500`.
  const isPath = rest.length === 0 && /^\.{0,2}[/\\]\S*$/.test(first);
  if (!fresh && (isPath || known.isSpec(first))) return { kind: "go-on", name: first, ...goal };
  if (!isNameHere(first, rest)) return { kind: "new", goal: words.join(" ") };
  const [file] = rest;
  if (rest.length === 1 && file !== undefined && known.isFile(file)) {
    return { kind: "from-file", name: first, path: file };
  }
  return { kind: "new", name: first, ...goal };
}

function planWithoutWords(fresh: boolean, known: ProjectFacts): StartPlan {
  if (fresh) return { kind: "ask" };
  if (known.active !== undefined) return { kind: "go-on", name: known.active };
  if (known.epicNext !== undefined) {
    return { kind: known.isSpec(known.epicNext) ? "go-on" : "new", name: known.epicNext };
  }
  const [only, ...others] = known.unfinished;
  if (only === undefined) return { kind: "ask" };
  return others.length === 0
    ? { kind: "go-on", name: only }
    : { kind: "choose", names: known.unfinished };
}

/** Nobody means a goal by this: it is a misspelt file name. */
const FILE = /^\S+\.(?:md|markdown|txt)$/i;

/** `rate-limit count requests` names the spec first; `add rate limiting` is a goal alone. */
export const isNameHere = (first: string, rest: readonly string[]): boolean =>
  isName(first) && (first.includes("-") || (rest.length === 1 && /\s/.test(rest[0] as string)));

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
