import { oneLine } from "../../text/template.ts";

// eslint-disable-next-line no-control-regex -- the colours of paint.ts
const COLOUR = /\u001b\[\d{1,2}m/g;
const WIDE =
  /[\u1100-\u115f\u2e80-\u303e\u3041-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6]|\p{Emoji_Presentation}/u;

/** How many columns of a terminal a text takes. Colours take none, Chinese characters two. */
export function widthOf(text: string): number {
  const plain = text.replace(COLOUR, "");
  if (/^[ -~]*$/.test(plain)) return plain.length;
  return [...plain].reduce(
    (sum, one) => sum + (/\p{M}/u.test(one) ? 0 : WIDE.test(one) ? 2 : 1),
    0,
  );
}

/** On one line, and cut so that it takes at most `columns`. */
export function shorten(text: string, columns: number): string {
  const line = oneLine(text, 1000);
  if (widthOf(line) <= columns) return line;
  let kept = "";
  for (const one of line) {
    if (widthOf(kept + one) >= columns) break;
    kept += one;
  }
  return `${kept.trimEnd()}…`;
}

const padTo = (text: string, columns: number): string =>
  text + " ".repeat(Math.max(0, columns - widthOf(text)));

/** A cell of a table: cut, and filled up. */
export const cell = (text: string, columns: number): string =>
  padTo(shorten(text, columns), columns);

/** Breaks long lines between words; what follows is indented to the line's second column, or a little. */
export const wrap = (text: string, width: number): string =>
  text
    .split("\n")
    .map((line) => wrapLine(line, width))
    .join("\n");

function wrapLine(line: string, width: number): string {
  if (widthOf(line) <= width) return line;
  const { hang, breakAt } = hangOf(line.replace(COLOUR, ""), width);
  let [out, used, gap, lines] = ["", 0, "", 0];
  for (const piece of line.match(/\s+|\S+/g) ?? []) {
    if (/^\s/.test(piece)) {
      gap = piece;
      continue;
    }
    const length = widthOf(piece);
    const isFull = used + gap.length + length > width;
    const breaks = used > hang && (isFull || (lines === 0 && used + gap.length === breakAt));
    if (breaks) lines++;
    out += (breaks ? `\n${" ".repeat(hang)}` : gap) + piece;
    used = (breaks ? hang : used + gap.length) + length;
    gap = "";
  }
  return out;
}

/**
 * Lines continue below the second column, if columns are two spaces apart. Without enough room to the right of it, it
 * goes to the next line.
 */
function hangOf(line: string, width: number): { hang: number; breakAt: number | undefined } {
  const column = /^ *[^ ]+(?: [^ ]+)* {2,}(?=\S)/.exec(line)?.[0];
  const breakAt = column === undefined ? undefined : widthOf(column);
  if (breakAt !== undefined && breakAt <= width / 2) return { hang: breakAt, breakAt: undefined };
  const indent = /^ */.exec(line)?.[0].length ?? 0;
  return { hang: Math.min(indent, Math.floor(width / 4)) + 2, breakAt };
}

/** A column narrower than this says nothing: then each row takes several lines instead. */
const NARROW = 12;

/** Rows of cells as lines, two spaces apart. Where they do not fit, the widest columns are cut first. */
export function renderColumns(
  rows: readonly (readonly string[])[],
  width: number | undefined,
): string[] {
  const natural = (rows[0] ?? []).map((_, i) =>
    Math.max(...rows.map((cells) => widthOf(oneLine(cells[i] ?? "", 1000)))),
  );
  const room = width === undefined ? Infinity : width - 2 * (natural.length - 1);
  const cap = capFor(natural, room);
  if (cap < NARROW) return rows.map(stack);
  return rows.map((cells) =>
    cells
      .map((text, i) => cell(text, Math.min(natural[i] ?? 0, cap)))
      .join("  ")
      .trimEnd(),
  );
}

/** How wide a column may be so that all of them fit. */
function capFor(natural: readonly number[], room: number): number {
  const sorted = natural.toSorted((a, b) => a - b);
  let left = room;
  for (const [i, one] of sorted.entries()) {
    const share = Math.floor(left / (sorted.length - i));
    if (one > share) return share;
    left -= one;
  }
  return Infinity;
}

const stack = (cells: readonly string[]): string =>
  cells
    .map((text, i) => `${i === 0 ? "" : "  "}${oneLine(text, 1000)}`)
    .filter((line) => line.trim() !== "")
    .join("\n");
