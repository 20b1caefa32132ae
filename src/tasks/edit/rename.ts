import { isProse, readLeaves } from "../../text/lines.ts";
import { fieldAt } from "../fields.ts";
import type { Task, TaskList } from "../model.ts";
import {
  findMentions,
  ID,
  idsOf,
  type Ids,
  indexIds,
  maskCode,
  type Mention,
  readMentions,
  type Reference,
} from "../references.ts";
import { findHelpedIds } from "../tags.ts";

/**
 * The lines of the file with its tasks renamed: the id after each box, the ids in `[FIX x.y]` and `[PART x.y]`, and
 * those that say who waits for whom. Any other `1.2` may be a version, a requirement or a number of seconds: it stays,
 * and `findLooseMentions` names it. `renameNote` does the same for a line that is not in the file yet.
 */
export function renameIds(
  list: TaskList,
  fresh: readonly string[],
): { lines: string[]; renameNote: (note: string) => string } {
  const ids = indexIds(list);
  const names = new Map<string, string>();
  for (const { id, index } of list.tasks)
    if (!names.has(id.toLowerCase())) names.set(id.toLowerCase(), fresh[index] as string);
  const nameOf = (id: string): string => names.get(id.toLowerCase()) ?? id;
  const rename = (line: string, references: readonly Reference[], own?: OwnId): string => {
    let text = "";
    let done = 0;
    const spans = own === undefined ? references : [own, ...references];
    for (const span of spans.toSorted((a, b) => a.start - b.start)) {
      if (span.start < done) continue;
      const all = idsOf(span, ids);
      const isSame = all.every((id) => nameOf(id).toLowerCase() === id.toLowerCase());
      text += line.slice(done, span.start);
      if (span === own) text += fresh[own.index];
      // The tasks of a range may end up anywhere, so each is named.
      else text += isSame ? line.slice(span.start, span.end) : all.map(nameOf).join(", ");
      done = span.end;
    }
    return text + line.slice(done);
  };
  return {
    lines: readReferences(list, ids).map(({ line, references, own }) =>
      rename(line, references, own),
    ),
    renameNote: (note) => rename(note, findMentions(note, ids).flatMap(referencesOf)),
  };
}

const referencesOf = ({ subjects, references }: Mention): Reference[] => [
  ...subjects,
  ...references,
];

/** The id after a task's own box. */
interface OwnId extends Reference {
  readonly index: number;
}

interface ReferenceLine {
  readonly line: string;
  readonly own: OwnId | undefined;
  readonly references: readonly Reference[];
}

/** Each line of the file with the references that our grammar reads. */
function readReferences(list: TaskList, ids: Ids): ReferenceLine[] {
  const owners = new Map(list.tasks.map((task) => [task.line, task]));
  return readMentions(list, ids).map((mentions, i) => {
    const line = list.lines[i] as string;
    const owner = owners.get(i + 1);
    const said = mentions.flatMap(referencesOf);
    return owner === undefined
      ? { line, own: undefined, references: said }
      : { line, own: findOwnId(line, owner), references: [...findHelpedIds(line), ...said] };
  });
}

const ANY_ID = new RegExp(String.raw`(?<![\w.])${ID}`, "gi");

function findOwnId(line: string, { id, index }: Task): OwnId | undefined {
  const box = line.indexOf("]");
  const own = [...line.matchAll(ANY_ID)].find((match) => match.index > box && match[0] === id);
  return own && { id, index, start: own.index, end: own.index + id.length };
}

/** An id in prose that our grammar does not read as a reference. */
export interface LooseMention {
  readonly line: number;
  readonly id: string;
}

const PLAIN = new RegExp(String.raw`(?<![\w.$#/\\@:~^=<>-])${ID}(?![/\\@%]|_\w)`, "g");

/** Where prose names one of these ids. Bare numbers are left out, since "3" counts things, and so are requirements. */
export function findLooseMentions(list: TaskList, ids: ReadonlySet<string>): LooseMention[] {
  const leaves = readLeaves(list.lines);
  return readReferences(list, indexIds(list)).flatMap(({ line, own, references }, i) => {
    const read = own === undefined ? references : [own, ...references];
    const field = fieldAt(line);
    const isForeign = field === "requirements" || field === "design";
    if (!isProse(leaves[i]) || leaves[i] === "heading" || isForeign) return [];
    return [...maskCode(line).matchAll(PLAIN)]
      .filter(
        ({ 0: id, index }) =>
          /\D/.test(id) &&
          ids.has(id.toLowerCase()) &&
          !read.some(({ start, end }) => index >= start && index < end),
      )
      .map(([id]) => ({ line: i + 1, id }));
  });
}
