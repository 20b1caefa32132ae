import { readMarkdown } from "../text/markdown.ts";
import { oneLine } from "../text/template.ts";

/** A list of questions about the documents. A ticked one is answered; nothing here says that work is done. */
export interface Checklist {
  readonly name: string;
  readonly items: readonly ChecklistItem[];
}

export interface ChecklistItem {
  readonly text: string;
  readonly line: number;
  readonly checked: boolean;
}

const ITEM = /^\[([ xX])\]\s+(.*)$/s;

/** Every box of a list, nested ones too; not those in code or in a comment. */
export const parseChecklist = (name: string, text: string): Checklist => ({
  name,
  items: readMarkdown(text).flatMap((line) => {
    const [, box, said = ""] = (line.kind === "text" && line.isItem && ITEM.exec(line.text)) || [];
    return box === undefined ? [] : [{ text: said, line: line.number, checked: box !== " " }];
  }),
});

export const openItems = ({ items }: Checklist): ChecklistItem[] =>
  items.filter(({ checked }) => !checked);

export const hasOpen = (list: Checklist): boolean => openItems(list).length > 0;

/** `ux.md: 3 of 12 items open` */
export const describeChecklist = (list: Checklist): string =>
  `${oneLine(list.name, 60)}: ${openItems(list).length} of ${list.items.length} items open`;

/** As Spec Kit shows it. */
export function renderChecklists(lists: readonly Checklist[]): string {
  const rows = lists.map((list) => {
    const open = openItems(list).length;
    const name = oneLine(list.name, 60).replaceAll("|", "\\|");
    return `| ${name} | ${list.items.length} | ${list.items.length - open} | ${open} | ${open === 0 ? "✓ PASS" : "✗ FAIL"} |`;
  });
  const head = ["| checklist | total | checked | unchecked | status |", "|---|---:|---:|---:|---|"];
  return [...head, ...rows].join("\n");
}

/** The number that the next item gets, `CHK013` after `CHK012`; undefined if its items have none. */
export function nextItemId({ items }: Checklist): string | undefined {
  const numbers = items.flatMap(({ text }) => /^CHK(\d{1,6})\b/.exec(text)?.[1] ?? []).map(Number);
  if (numbers.length === 0) return undefined;
  return `CHK${String(Math.max(...numbers) + 1).padStart(3, "0")}`;
}
