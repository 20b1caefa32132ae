import { addTo } from "../text/group.ts";
import type { Requirement } from "./requirements.ts";

/** What a task says: surely about requirements, or in passing. */
export interface TaskWords {
  readonly sure: readonly string[];
  readonly title: string;
  readonly heading: string;
}

export interface NamedRequirements {
  readonly ids: readonly string[];
  /** As the text writes them. */
  readonly unknown: readonly string[];
  /** Whether anything was named where requirements are named. */
  readonly isSure: boolean;
}

/** Only words count, and what separates the items of a list. */
const simplify = (text: string): string =>
  ` ${text
    .normalize("NFKC")
    .toLowerCase()
    .replace(/[,;]/g, " , ")
    .replace(/[^\p{L}\p{N},]+/gu, " ")
    .replace(/ +/g, " ")
    .trim()} `;

const tidy = (item: string): string => item.replace(/[*_`\s]+/g, " ").trim();

/** In place of a name that was found: nothing else is looked for there. */
const FOUND = " \u0001 ";
const NOTHING = /^(?:none|n a|all|see .*|specs? .*|\d*)$/;

interface Phrase {
  readonly text: string;
  readonly ids: readonly string[];
  /** Long enough not to be in a sentence by chance. */
  readonly isDistinct: boolean;
}

/**
 * How to find requirements that have names and no ids. A name counts wherever a task refers to requirements; in a title
 * or a heading only if it has several words. A capability's name means all that its delta says.
 */
export function nameReader(
  requirements: readonly Requirement[],
): (words: TaskWords) => NamedRequirements {
  const phrases = phrasesOf(requirements);
  const capabilities = new Map<string, string[]>();
  for (const { capability, id, story } of requirements) {
    if (capability === undefined || story !== undefined) continue;
    for (const name of new Set([capability, capability.split("/").at(-1) as string]))
      addTo(capabilities, simplify(name), id);
  }
  const search = (text: string, isSure: boolean): { ids: string[]; rest: string } => {
    const ids: string[] = [];
    let rest = simplify(text);
    for (const phrase of phrases) {
      if (!(isSure || phrase.isDistinct) || !rest.includes(phrase.text)) continue;
      ids.push(...phrase.ids);
      rest = rest.replaceAll(phrase.text, FOUND);
    }
    return { ids, rest };
  };
  const readSure = (text: string): { ids: string[]; unknown: string[] } => {
    const { ids, rest } = search(text, true);
    const items = rest.split(",").map((item) => ` ${item.trim()} `);
    const left = items.filter((item) => !item.includes("\u0001"));
    const whole = left.flatMap((item) => capabilities.get(item) ?? []);
    const none = left.filter((item) => !capabilities.has(item) && !NOTHING.test(item.trim()));
    const written = new Map(text.split(/[,;]/).map((item) => [simplify(item), tidy(item)]));
    return {
      ids: [...ids, ...whole],
      unknown: none.map((item) => written.get(item) ?? item.trim()),
    };
  };
  return ({ sure, title, heading }) => {
    const named = sure.map(readSure);
    const certain = named.flatMap(({ ids }) => ids);
    const section = capabilities.get(simplify(heading.replace(/^[\d.\s]+/, ""))) ?? [];
    const ids = [
      ...certain,
      ...search(title, false).ids,
      ...search(heading, false).ids,
      ...section,
    ];
    const unknown = [...new Set(named.flatMap((one) => one.unknown))];
    return { ids: [...new Set(ids)], unknown, isSure: certain.length > 0 };
  };
}

/** The longest first: "export data as CSV" is not "export data". */
function phrasesOf(requirements: readonly Requirement[]): Phrase[] {
  const found = new Map<string, string[]>();
  for (const { id, names = [], capability = "" } of requirements)
    for (const name of new Set([...names, ...names.map((one) => `${capability} ${one}`)])) {
      const text = simplify(name);
      if (text.trim() !== "") addTo(found, text, id);
    }
  return [...found]
    .map(([text, ids]) => ({ text, ids, isDistinct: text.trim().split(" ").length > 2 }))
    .sort((a, b) => b.text.length - a.text.length);
}
