import { findNotes, linesBelow, trimBlank } from "../text/sections.ts";
import { oneLine } from "../text/template.ts";

/** A line that the program adds to a section of `.progress.md`: what was said in a phase. */
export interface NotedItem {
  readonly phase: string;
  readonly text: string;
}

/** What the user typed after the command of a phase. */
export const USER_WORDS = "From the User";
/** What the agents that write documents report as open. */
export const OPEN_POINTS = "Open Questions";

/** Older ones make room. */
const MAX_ITEMS = 20;
const MAX_TEXT = 1000;
const ITEM = /^- ([a-z]+): (.+)$/;

const formatItem = ({ phase, text }: NotedItem): string => `- ${phase}: ${oneLine(text, MAX_TEXT)}`;

const isHeading =
  (heading: string) =>
  (line: string): boolean =>
    line.trimEnd() === `## ${heading}`;

/** People and agents write this file too: a line of another form is not one of ours. */
export function readItems(progress: string, heading: string): NotedItem[] {
  return linesBelow(progress, isHeading(heading))
    .flatMap((line) => {
      const [, phase, text] = ITEM.exec(line) ?? [];
      return phase === undefined || text === undefined
        ? []
        : [{ phase, text: oneLine(text, MAX_TEXT) }];
    })
    .slice(-MAX_ITEMS);
}

/** Adds what is not there yet at the end of the section; whatever else it holds stays. */
export function addItems(progress: string, heading: string, items: readonly NotedItem[]): string {
  const eol = progress.includes("\r\n") ? "\r\n" : "\n";
  const lines = progress.trimEnd().split(/\r?\n/);
  const notes = findNotes(lines, isHeading(heading)) ?? { start: -1, end: -1 };
  const isNew = notes.start === -1;
  const old = isNew ? [] : lines.slice(notes.start + 1, notes.end);
  const added = [...new Set(items.map(formatItem))].filter((line) => !old.includes(line));
  if (added.length === 0) return progress;
  const spare = old.filter((line) => ITEM.test(line)).length + added.length - MAX_ITEMS;
  let dropped = 0;
  const kept = old.filter((line) => !(ITEM.test(line) && dropped < spare && ++dropped > 0));
  const body = [...trimBlank(kept), ...added];
  const section = [`## ${heading}`, "", ...body];
  const before = isNew ? lines : lines.slice(0, notes.start);
  const after = isNew ? [] : lines.slice(notes.end);
  const all = [
    ...before,
    ...(isNew ? [""] : []),
    ...section,
    ...(after.length > 0 ? ["", ...after] : []),
  ];
  return `${all.join(eol)}${eol}`;
}

/** Takes these out of the section, each as it was read; whatever else it holds stays. */
export function removeItems(
  progress: string,
  heading: string,
  items: readonly NotedItem[],
): string {
  const gone = new Set(items.map(formatItem));
  const lines = progress.split(/(?<=\n)/);
  const notes = findNotes(lines, isHeading(heading)) ?? { start: 0, end: 0 };
  return lines
    .filter((line, i) => {
      const [, phase = "", text = ""] = ITEM.exec(line.trimEnd()) ?? [];
      const isInside = notes.start < i && i < notes.end;
      return !(isInside && text !== "" && gone.has(formatItem({ phase, text })));
    })
    .join("");
}
