import { isProse, readLeaves } from "../text/lines.ts";
import { withoutCode } from "../text/markdown.ts";
import { ID_SHAPE } from "./ids.ts";
import type { Task, TaskList } from "./model.ts";
import { helpedIds } from "./tags.ts";

/** An id in text; whether it is a task's is for the list to say. */
export const ID = String.raw`(?:${ID_SHAPE})(?![A-Za-z0-9])(?!\.\d)(?!-[A-Za-z](?!\d))`;

/** One id named in a line, or a range of them; `start` and `end` are offsets into the line. */
export interface Reference {
  readonly id: string;
  /** `T003-T007`: the other end. */
  readonly to?: string;
  readonly start: number;
  readonly end: number;
}

/** A line says that something waits for something. */
export interface Mention {
  /** "on": the subject waits for the ids. "unblocks": the ids wait for the subject. */
  readonly relation: "on" | "unblocks";
  /** `T014 depends on T012` says it of T014; without a subject it is said of the task that the line is in. */
  readonly subjects: readonly Reference[];
  readonly references: readonly Reference[];
  /** `**Depends**:` with nothing after it: the ids follow as a list. */
  readonly isOpen: boolean;
}

export interface Ids {
  /** By id in lower case: the task's index, or undefined if the id is used twice and names nobody. */
  readonly index: ReadonlyMap<string, number | undefined>;
  /** `1.2` and `T012` are shapes; an unknown id of a shape that the list does not use is a version or a price. */
  readonly shapes: ReadonlySet<string>;
}

/**
 * A reference to an id that is used twice is taken to name neither: which of the two is "first" would
 * change with the order, and lint reports the duplicate anyway.
 */
export function indexIds(list: TaskList): Ids {
  const index = new Map<string, number | undefined>();
  const aliases = new Map<string, number | undefined>();
  const shapes = new Set<string>();
  for (const task of list.tasks) {
    if (task.id.startsWith("#")) continue;
    const id = task.id.toLowerCase();
    index.set(id, index.has(id) ? undefined : task.index);
    shapes.add(shapeOf(id));
    // `4.1 V4 [VERIFY] title`: the second name of a final check.
    const alias = /^V(?:F|E?\d+)(?=\s)/.exec(task.title)?.[0].toLowerCase();
    if (alias !== undefined) aliases.set(alias, aliases.has(alias) ? undefined : task.index);
  }
  for (const [alias, task] of aliases) if (!index.has(alias)) index.set(alias, task);
  return { index, shapes };
}

function shapeOf(id: string): string {
  if (/^[a-z]/i.test(id)) return id.charAt(0).toLowerCase();
  // In a list without such ids, `1.5s` is a time.
  if (/[a-z]/i.test(id)) return "1.2a";
  return id.includes(".") ? "1.2" : "1";
}

const mayRange = (from: string, to: string): boolean =>
  shapeOf(from).slice(0, 3) === shapeOf(to).slice(0, 3);

/** The tasks that a `[FIX x.y]` or `[PART x.y]` helps, by index. */
export const helpedTasks = (task: Task, { index }: Ids): number[] =>
  helpedIds(task)
    .flatMap((id) => index.get(id.toLowerCase()) ?? [])
    .filter((helped) => helped !== task.index);

/** As many as a range may cover; a longer one means a phase, and phases keep their order anyway. */
const RANGE_LIMIT = 100;

/** The ids that a reference means, as they would be written. Ranges go by number, not by place. */
export function idsOf({ id, to }: Reference, { index }: Ids): string[] {
  if (to === undefined) return [id];
  const letters = lettersOf(id, to);
  if (letters !== undefined) return letters.filter((one) => index.has(one.toLowerCase()));
  const [, head = "", digits = ""] = /^(.*\D|)(\d+)$/.exec(id) ?? [];
  const first = Number(digits);
  const last = Number(to.slice(head.length));
  const isRange = to.toLowerCase().startsWith(head.toLowerCase()) && last > first;
  if (!isRange || last - first >= RANGE_LIMIT) return [id, to];
  const ids: string[] = [];
  for (let n = first; n <= last; n++) {
    const next = head + String(n).padStart(digits.length, "0");
    if (n === first || n === last || index.has(next.toLowerCase())) ids.push(next);
  }
  return ids;
}

/** `3.6a` to `3.6c`, and all between. */
function lettersOf(id: string, to: string): string[] | undefined {
  const [, head, letter] = /^(.*\d)([A-Za-z])$/.exec(id) ?? [];
  if (head === undefined || letter === undefined || to.slice(0, -1) !== head) return undefined;
  const first = letter.charCodeAt(0);
  const count = to.charCodeAt(to.length - 1) - first + 1;
  if (count < 2 || count > 26) return undefined;
  return Array.from({ length: count }, (_, i) => head + String.fromCharCode(first + i));
}

/** The line without code: `pip install x==1.2` names no task. A span that holds nothing but an id stays. */
export const maskCode = (line: string): string => withoutCode(line, (code) => ONLY_ID.test(code));

const ONLY_ID = new RegExp(`^\\s*${ID}\\s*$`);

const LINK =
  /(?<![A-Za-z0-9])(?:depend(?:s|ing|ent)?(?:\s+(?:up)?on)?|dependenc(?:y|ies)|prerequisites?|blocked\s+by|unblocks|blocks|after)(?![A-Za-z0-9])(?:[*_]{0,2}\s*(:)[*_]{0,2})?/gi;
const QUICK = /depend|block|after|prereq/i;
const NEGATED = /(?:\bnot|n't|\bnever|\blonger|\bwithout)\s+(?:\w+\s+)?$/i;
const SUBJECTS = new RegExp(
  String.raw`(?<![\w.-])(?:${ID}[*_\`\])]*\s*(?:,|&|/|\band\b)?\s*)+(?:is|are|also|only)?\s*$`,
);
const ITEM = new RegExp(
  String.raw`\s*(?:(?:the|both|tasks?)\s+)*[*_\`[]*(${ID})(?:(?:\s*[-–—]\s*|\s+(?:to|through)\s+)(${ID}))?[*_\`\]]*(?:\s*\([^()]*\))?`,
  "iy",
);
const SEPARATOR = /\s*(?:,\s*(?:and\b|or\b)?|;|&|\+|\/|\band\b|\bor\b)\s*/iy;
const ENDS = /^\s*(?:$|[,;)\]!?:]|\.(?!\w)|[-–—]\s|_|\*|(?:and|or)\b|&)/i;
/** What makes a number a measure. */
const UNIT = /^\s*(?:ms|s|secs?|seconds?|min|minutes?|hours?|days?|x|times|%|[kmg]i?b|px)\b/i;
/** "… on 1.1, and 1.3 depends on 1.2": what comes before a verb is its subject. */
const VERB = /^\s*(?:(?:is|are|also|only)\s+)*(?:depends?|unblocks?|blocks?|blocked)\b/i;
const COMES = /^\s*(?:is|are|has|lands?|pass(?:es)?|complet\w+|finish\w*|done)\b/i;

/** For each line of the file, what it says about who waits for whom. */
export function readMentions({ lines }: TaskList, ids: Ids): Mention[][] {
  const leaves = readLeaves(lines);
  let open: Mention | undefined;
  return lines.map((line, i) => {
    const isSaid = isProse(leaves[i]) && leaves[i] !== "heading";
    const references = isSaid && open !== undefined ? continueMention(line, ids) : [];
    if (open !== undefined && references.length > 0) return [{ ...open, references }];
    const mentions = isSaid ? findMentions(line, ids) : [];
    open = mentions.findLast(({ isOpen }) => isOpen);
    return mentions;
  });
}

/** What a line of prose says about who waits for whom. */
export function findMentions(line: string, ids: Ids): Mention[] {
  if (!QUICK.test(line)) return [];
  const text = maskCode(line).trimEnd();
  const mentions: Mention[] = [];
  let read = 0;
  for (const link of text.matchAll(LINK)) {
    // "1.2 (depends on 1.1)" after `Unblocks:` is a remark on 1.2.
    if (link.index < read) continue;
    const word = link[0].toLowerCase();
    const isField = link[1] !== undefined;
    const end = link.index + link[0].length;
    const before = text.slice(Math.max(read, link.index - 80), link.index);
    // "depends" alone and "dependencies" say something only as a field.
    if (!isField && /^(?:depend\w*|prereq\w*)$/.test(word)) continue;
    if (NEGATED.test(before)) continue;
    const isAfter = word.startsWith("after");
    if (isAfter && isField) continue;
    const accept = isField ? acceptField : isAfter ? acceptAfter : acceptSaid;
    const { references, at } = readReferences(text, end, (id, rest, item) =>
      accept(id, rest, ids, item),
    );
    read = at;
    const isOpen = isField && end >= text.length;
    if (references.length === 0 && !isOpen) continue;
    mentions.push({
      relation: word.startsWith("unblocks") || word.startsWith("blocks") ? "unblocks" : "on",
      subjects: isField || isAfter ? [] : findSubjects(before, link.index - before.length),
      references,
      isOpen: isOpen && references.length === 0,
    });
  }
  return mentions;
}

/** The ids of a line that continues an open field: `- 1.2`. */
function continueMention(line: string, ids: Ids): Reference[] {
  const text = maskCode(line).trimEnd();
  const bullet = /^\s*(?:>\s*)?[-*+]\s+/.exec(text)?.[0].length;
  if (bullet === undefined) return [];
  return readReferences(text, bullet, (id, rest) => acceptField(id, rest, ids)).references;
}

/** A list of ids from `from` on, and where it ends. */
function readReferences(
  text: string,
  from: number,
  accept: (id: string, rest: string, item: string) => boolean,
): { references: Reference[]; at: number } {
  const references: Reference[] = [];
  let end = from;
  for (let at = from; ; at = SEPARATOR.lastIndex) {
    ITEM.lastIndex = at;
    const item = ITEM.exec(text);
    if (item === null) break;
    const [whole, id = "", to] = item;
    const rest = whole.endsWith(")") ? "" : text.slice(ITEM.lastIndex, ITEM.lastIndex + 40);
    if (!accept(id, rest, whole)) break;
    end = ITEM.lastIndex;
    const start = at + whole.indexOf(id);
    if (to === undefined || !mayRange(id, to)) {
      references.push({ id, start, end: start + id.length });
      if (to !== undefined) break;
    } else {
      const last = at + whole.indexOf(to, start - at + id.length) + to.length;
      references.push({ id, to, start, end: last });
    }
    SEPARATOR.lastIndex = end;
    if (!SEPARATOR.test(text)) break;
  }
  return { references, at: end };
}

function acceptField(id: string, rest: string, ids: Ids): boolean {
  const isKnown = ids.index.has(id.toLowerCase());
  // A bare number counts things more often than it names one.
  if (shapeOf(id) === "1") return isKnown && ENDS.test(rest);
  return isKnown || ids.shapes.has(shapeOf(id));
}

function acceptSaid(id: string, rest: string, ids: Ids): boolean {
  const isKnown = ids.index.has(id.toLowerCase()) && shapeOf(id) !== "1";
  if (VERB.test(rest)) return false;
  return isKnown ? !UNIT.test(rest) : acceptField(id, rest, ids) && ENDS.test(rest);
}

/** "after 1.2 seconds", "after 1.2 came out": only a known id that the phrase ends with is a task. */
function acceptAfter(id: string, rest: string, ids: Ids, item: string): boolean {
  if (!ids.index.has(id.toLowerCase()) || UNIT.test(rest)) return false;
  return /^[tv]/i.test(id) || /task/i.test(item) || ENDS.test(rest) || COMES.test(rest);
}

/** The ids that end the text `before`, which begins at `offset` of its line. */
function findSubjects(before: string, offset: number): Reference[] {
  const subjects = SUBJECTS.exec(before);
  return [...(subjects?.[0] ?? "").matchAll(new RegExp(ID, "g"))].map(({ 0: id, index }) => {
    const start = offset + (subjects as RegExpExecArray).index + index;
    return { id, start, end: start + id.length };
  });
}
