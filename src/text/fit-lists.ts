/** How many items a list says it has left out. */
const MORE = /^- … and (\d+) more$/;

/** Fits a text into `max` characters by leaving out items at the end of its longest lists; every other line stays whole. */
export function fitLists(text: string, max: number): string {
  const parts = text.split("\n\n").map((part) => readPart(part.split("\n")));
  const shown = (): string => parts.map(showPart).join("\n\n");
  for (let left = shown(); left.length > max; left = shown()) {
    const [longest] = parts
      .filter(({ items }) => items.length > 0)
      .sort((a, b) => showPart(b).length - showPart(a).length);
    if (longest === undefined) break;
    longest.items.pop();
    longest.more += 1;
  }
  return shown();
}

interface Part {
  readonly head: readonly string[];
  readonly items: string[];
  more: number;
}

function readPart(lines: readonly string[]): Part {
  const first = lines.findIndex((line) => line.startsWith("- "));
  const isList = first !== -1 && lines.slice(first).every((line) => line.startsWith("- "));
  if (!isList) return { head: lines, items: [], more: 0 };
  const [, more] = MORE.exec(lines.at(-1) ?? "") ?? [];
  const items = lines.slice(first, more === undefined ? undefined : -1);
  return { head: lines.slice(0, first), items, more: Number(more ?? 0) };
}

const showPart = ({ head, items, more }: Part): string =>
  [...head, ...items, ...(more === 0 ? [] : [`- … and ${more} more`])].join("\n");
