import type { TaskList } from "../tasks/model.ts";
import { locate } from "../tasks/position.ts";
import { findNotes, trimBlank } from "../text/sections.ts";
import { oneLine } from "../text/template.ts";
import { counted } from "../text/wording.ts";
import type { HandOut } from "./hand-out.ts";

/** Where the run is, as `.progress.md` says it: each section has our lines between two marks. */
export interface StandingSection {
  readonly heading: string;
  readonly lines: readonly string[];
}

const BEGIN = "<!-- smart-ralph:begin -->";
const END = "<!-- smart-ralph:end -->";

/** Every executor reads them. */
const MAX_DONE = 10;
const MAX_NEXT = 3;

export function planStanding(list: TaskList, brief: HandOut): StandingSection[] {
  const done = list.tasks.filter(({ checked }) => checked);
  const hidden = Math.max(0, done.length - MAX_DONE);
  const out = new Set([...brief.current, ...brief.exhausted].map(({ id }) => id));
  const { open, held } = locate(list);
  const next = open.filter((task) => !out.has(task.id) && !held.includes(task));
  return [
    {
      heading: "Completed Tasks",
      lines: orNone([
        ...(hidden === 0 ? [] : [`- ${counted(hidden, "earlier task")}`]),
        ...done.slice(hidden).map((task) => `- [x] ${nameOf(task)}`),
      ]),
    },
    {
      heading: "Current Task",
      lines: orNone([
        ...brief.current.map((task) => {
          const again =
            task.attempt > 1 ? ` (attempt ${task.attempt} of ${brief.maxAttempts})` : "";
          return `- ${nameOf(task)}${again}`;
        }),
        ...brief.exhausted.map((task) => `- ${nameOf(task)} (out of attempts)`),
      ]),
    },
    {
      heading: "Next",
      lines: orNone([
        ...next.slice(0, MAX_NEXT).map((task) => `- ${nameOf(task)}`),
        ...(held.length === 0 ? [] : [`- ${counted(held.length, "task")} of these wait for you`]),
      ]),
    },
  ];
}

const orNone = (lines: readonly string[]): readonly string[] =>
  lines.length === 0 ? ["None."] : lines;

/** A title that contains one of our marks must not close the section. */
const nameOf = ({ id, title }: { readonly id: string; readonly title: string }): string =>
  oneLine(id.startsWith("#") ? title : `${id} ${title}`, 100).replaceAll("<!--", "&lt;!--");

/** The notes with these lines in place. What others wrote in the same sections stays, below ours. */
export const putStanding = (notes: string, sections: readonly StandingSection[]): string =>
  sections.reduce(putSection, notes);

function putSection(notes: string, { heading, lines }: StandingSection): string {
  const eol = notes.includes("\r\n") ? "\r\n" : "\n";
  const block = [BEGIN, ...lines, END];
  const all = notes.split(/\r?\n/);
  const found = findNotes(all, isHeading(heading));
  if (found === undefined)
    return `${notes.trimEnd()}${eol}${eol}${[`## ${heading}`, "", ...block, ""].join(eol)}`;
  const rest = trimBlank(withoutBlock(all.slice(found.start + 1, found.end)));
  const section = [
    all[found.start] as string,
    "",
    ...block,
    "",
    ...(rest.length === 0 ? [] : [...rest, ""]),
  ];
  return [...all.slice(0, found.start), ...section, ...all.slice(found.end)].join(eol);
}

const isHeading =
  (heading: string) =>
  (line: string): boolean =>
    new RegExp(`^##\\s+${heading}\\s*$`, "i").test(line);

/** Lines without our block, or without what is left of it. */
function withoutBlock(lines: readonly string[]): readonly string[] {
  const begin = lines.indexOf(BEGIN);
  const end = lines.indexOf(END, begin + 1);
  const without =
    begin === -1 || end === -1 ? lines : [...lines.slice(0, begin), ...lines.slice(end + 1)];
  return without.filter((line) => line !== BEGIN && line !== END);
}

/** What others wrote: two versions of the notes that differ only in our lines are equal without them. */
export function withoutStanding(notes: string): string {
  let lines: readonly string[] = notes.split(/\r?\n/);
  for (const heading of ["Completed Tasks", "Current Task", "Next"]) {
    const found = findNotes(lines, isHeading(heading));
    if (found === undefined) continue;
    const rest = trimBlank(withoutBlock(lines.slice(found.start + 1, found.end)));
    const own = rest.length === 0 ? [] : [`## ${heading}`, ...rest];
    lines = [...lines.slice(0, found.start), ...own, ...lines.slice(found.end)];
  }
  return lines.filter((line) => line.trim() !== "").join("\n");
}
