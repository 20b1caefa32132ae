import type { Leaf } from "../../text/blocks.ts";
import { isProse } from "../../text/lines.ts";
import {
  continueMention,
  findMentions,
  ID,
  idsOf,
  indexIds,
  maskCode,
  type Reference,
  UNIT,
} from "../references.ts";
import type { Task, TaskList } from "../model.ts";

/** Gives a line of the file with its ids renamed; to be asked line by line, from the first to the last. */
export type Rename = (line: string, leaf: Leaf | undefined, own?: Task) => string;

/**
 * Every reference to a task follows its new id: in `Depends` and `Unblocks` lines, in `[FIX x.y]` and
 * `[PART x.y]`, and in prose, by whole ids (1.1 is no part of 1.10 or of v1.1). What is code stays code: fences, comments, and
 * spans, but for a span that is only an id and for `T012`, which means nothing else. In prose, `1.2` may
 * also be a version, a requirement or a number of seconds; where the words around it say so, it stays.
 */
export function renameIds(list: TaskList, fresh: readonly string[]): Rename {
  const ids = indexIds(list);
  const renamed = new Map<string, string>();
  // Where an id stands twice, the first open task is meant, as everywhere.
  for (const isOpen of [true, false]) {
    for (const { id, index, checked } of list.tasks) {
      const key = id.toLowerCase();
      if (checked !== isOpen && !renamed.has(key)) renamed.set(key, fresh[index] as string);
    }
  }

  let isOpen = false;
  return (line, leaf, own) => {
    if (!isProse(leaf)) {
      isOpen = false;
      return line;
    }
    const carried = isOpen ? continueMention(line, ids) : [];
    const mentions = leaf === "heading" ? [] : findMentions(line, ids);
    isOpen = carried.length > 0 || mentions.some((mention) => mention.isOpen);
    const ownAt = own === undefined ? undefined : findOwn(line, own.id);
    const spans = [
      ...(ownAt ?? []),
      ...carried,
      ...mentions.flatMap(({ references }) => references),
      ...findTags(line),
      ...findPlain(line, leaf),
    ];
    let text = "";
    let done = 0;
    // The sort is stable: `T001 to T003` is one range, as said, before it is two ids.
    for (const span of spans.sort((a, b) => a.start - b.start)) {
      if (span.start < done) continue;
      const isOwn = own !== undefined && span.start === ownAt?.[0]?.start;
      const name = isOwn ? fresh[own.index] : renameReference(span);
      text += line.slice(done, span.start) + (name ?? line.slice(span.start, span.end));
      done = span.end;
    }
    return text + line.slice(done);

    function renameReference(reference: Reference): string | undefined {
      const first = renamed.get(reference.id.toLowerCase());
      if (reference.to === undefined || first === undefined) return first;
      if (!renamed.has(reference.to.toLowerCase())) return undefined;
      const all = idsOf(reference, ids).map((id) => renamed.get(id.toLowerCase()) ?? id);
      const dash = line.slice(
        reference.start + reference.id.length,
        reference.end - reference.to.length,
      );
      return joinIds(all, dash);
    }
  };
}

/** `T003-T005` again if the new ids go on without a gap, else one by one. */
function joinIds(ids: readonly string[], dash: string): string {
  const numbers = ids.map((id) => Number(/(?<!\d)\d+$/.exec(id)?.[0]));
  const heads = new Set(ids.map((id) => id.replace(/(?<!\d)\d+$/, "")));
  const least = Math.min(...numbers);
  const most = Math.max(...numbers);
  if (heads.size > 1 || most - least !== ids.length - 1) return ids.join(", ");
  return `${ids[numbers.indexOf(least)]}${dash}${ids[numbers.indexOf(most)]}`;
}

/** A task's own id: the first one behind its box. */
function findOwn(line: string, id: string): Reference[] {
  for (let from = line.indexOf("]") + 1; ;) {
    const start = line.indexOf(id, from);
    if (start === -1) return [];
    const end = start + id.length;
    const isWhole = !/[\w.]/.test(line.charAt(start - 1)) && !/^(?:\w|\.\d)/.test(line.slice(end));
    if (isWhole) return [{ id, start, end }];
    from = end;
  }
}

/** `[FIX x.y]` and `[PART x.y]`. */
function findTags(line: string): Reference[] {
  return [...line.matchAll(/\[\s*(?:FIX|PART)\s([^\][]+)\]/gi)].flatMap((tag) => {
    const offset = tag.index + tag[0].length - 1 - (tag[1] as string).length;
    return [...(tag[1] as string).matchAll(/[\w.-]+/g)].map(({ 0: id, index }) => ({
      id,
      start: offset + index,
      end: offset + index + id.length,
    }));
  });
}

const PLAIN = new RegExp(
  String.raw`(?<![\w.$#/\\@:~^=<>-])(${ID})(?:[-–—](${ID}))?(?![/\\@%]|_\w)`,
  "g",
);
const LETTERED = /^T-?\d{3,}[A-Za-z]?$/;
/** Fields whose numbers are those of another document. */
const FOREIGN =
  /^\s*(?:[-*+]\s+)?(?:>\s*)?(?:\*\*|_)?(?:requirements?|design|acceptance|criteria|versions?|refs?)\b[^:]{0,20}:/i;
const FOREIGN_WORD =
  /(?:\b(?:requirements?|reqs?|ac|fr|nfr|criteri(?:on|a)|stor(?:y|ies)|sections?|chapters?|appendix|figure|table|steps?|versions?|releases?|v|node|python|ruby|java|php|go|tls|ssl|http|es|api)\b|§|\b(?:bump|upgrade|downgrade|pin|migrate)\w*\b[^.;]*\b(?:to|from|at))[.:*_\s#(]*$/i;

/** Ids in the middle of prose. Bare numbers are none: "3" counts things. */
function findPlain(line: string, leaf: Leaf | undefined): Reference[] {
  const found: Reference[] = [];
  const isForeign = leaf === "heading" || FOREIGN.test(line);
  const masked = maskCode(line);
  let skipped = -1;
  for (const match of line.matchAll(PLAIN)) {
    const [whole, id = "", to] = match;
    const { index: start } = match;
    const end = start + whole.length;
    const reference = to === undefined ? { id, start, end } : { id, to, start, end };
    if (LETTERED.test(id)) {
      found.push(reference);
      continue;
    }
    if (isForeign || masked.slice(start, end) !== whole) continue;
    const isListed =
      skipped !== -1 && /^\s*(?:[,&/]|and|or|to)\s*$/i.test(line.slice(skipped, start));
    if (
      isListed ||
      FOREIGN_WORD.test(line.slice(Math.max(0, start - 60), start)) ||
      UNIT.test(line.slice(end))
    ) {
      skipped = end;
    } else if (!/^\d+$/.test(id)) {
      found.push(reference);
    }
  }
  return found;
}
