import { quotePath } from "../text/quote.ts";
import { oneLine } from "../text/template.ts";

/** A project's constitution, as far as an agent has to know it beforehand. */
export interface Rules {
  readonly path: string;
  /** What its principles are called. */
  readonly principles: readonly string[];
}

/** Every task pays for it. */
const MAX_NAMES = 300;

/** Where the rules are, and what they are about, so that nobody reads them in vain or not at all. */
export function renderRules({ path, principles }: Rules): string {
  const names = oneLine(principles.join("; "), MAX_NAMES);
  const about = names === "" ? "" : ` (${names})`;
  return `Rules of the project, which outrank the task: ${quotePath(path)}${about}. Read them first.`;
}
