import type { Leaf } from "../../text/blocks.ts";
import { isProse } from "../../text/lines.ts";
import { noteOf } from "../edit/notes.ts";
import { fieldAt, type FieldName } from "../fields.ts";
import type { Task, TaskList } from "../model.ts";
import { maskCode } from "../references.ts";

/** How strongly a text says something: 1 not at all, 2 one word for it, 3 two different ones or a strong one. */
export interface Reading {
  readonly level: 1 | 2 | 3;
  readonly words: readonly string[];
}

interface Vocabulary {
  /** Each row is one word with its forms, which counts once. */
  readonly plain: readonly RegExp[];
  readonly strong: readonly RegExp[];
}

const UNCERTAIN: Vocabulary = {
  plain: [
    /\bexplor(?:e[sd]?|ing|ation|atory)\b/i,
    /\binvestigat(?:e[sd]?|ing|ion|ions)\b/i,
    /\b(?:might|maybe|perhaps|possibly)\b/i,
    /\bcould\b/i,
    /\b(?:unclear|uncertain|unsure|not sure|tbd)\b/i,
    /\b(?:experiment(?:al|s)?|prototyp(?:e|es|ing)|spike)\b/i,
  ],
  strong: [/\bproof[- ]of[- ]concept\b/i, /\bfeasib(?:le|ility)\b/i, /^[ \t]*>[ \t]*Uncertain:/im],
};

const IMPACT: Vocabulary = {
  plain: [
    /\b(?:user|customer|client)-(?:facing|visible)\b/i,
    /(?<!\bnon-|\bnot )\bcritical(?:ly)?\b/i,
    /(?<![-_])\bcore\b(?![-_])/i,
    /\bend[- ]users?\b/i,
  ],
  strong: [/\b(?:mission|business|safety)-critical\b/i],
};

export const readUncertainty = (prose: string): Reading => read(prose, UNCERTAIN);
export const readImpact = (prose: string): Reading => read(prose, IMPACT);

function read(prose: string, { plain, strong }: Vocabulary): Reading {
  const find = (patterns: readonly RegExp[]): string[] =>
    patterns.flatMap((pattern) => pattern.exec(prose)?.[0].toLowerCase() ?? []);
  const strongly = find(strong);
  const words = [...strongly, ...find(plain)];
  const level = strongly.length > 0 || words.length > 1 ? 3 : words.length === 1 ? 2 : 1;
  return { level, words };
}

/** The other fields name things instead of describing the work. */
const DESCRIBING = new Set<FieldName | undefined>(["do", "doneWhen", undefined]);
/** `src/core/a.ts` is not about the core of anything. */
const withoutPath = (word: string): string =>
  /[\\/]/.test(word) ? " " : word.replace(/^\S+\.[a-z]\w{0,9}\b/i, " ");

/**
 * What a task says in words, without code and paths. Of the notes that prioritising itself adds, only
 * the fact that there is one stays: their words would count towards the next run's score.
 */
export function proseOf(list: TaskList, task: Task, leaves: readonly Leaf[]): string {
  const prose = [task.title];
  for (let line = task.line + 1; line <= task.endLine; line++) {
    const text = list.lines[line - 1] as string;
    if (!isProse(leaves[line - 1]) || !DESCRIBING.has(fieldAt(text))) continue;
    const note = noteOf(text);
    if (note === "uncertain") prose.push("> Uncertain:");
    else if (note === undefined) prose.push(text);
  }
  return prose.map((text) => maskCode(text).replace(/\S+/g, withoutPath)).join("\n");
}
