import { shorten, widthOf } from "../../cli/columns.ts";

/** Text, and the colour that it gets after it has been cut to its width. */
export interface Part {
  readonly text: string;
  readonly tint?: ((text: string) => string) | undefined;
  /** Where there is no room, the parts with the highest are left out first, and those with 0 never. */
  readonly rank?: number | undefined;
}

export const part = (text: string, tint?: Part["tint"], rank?: number): Part => ({
  text,
  tint,
  rank,
});

export const widthOfParts = (parts: readonly Part[]): number =>
  widthOf(parts.map(({ text }) => text).join(""));

const plain = (text: string): string => text;

const paintPart = ({ text, tint = plain }: Part): string => (text === "" ? "" : tint(text));

/** Joins the parts and cuts them to the width, from the end. */
export function line(parts: readonly Part[], width: number): string {
  let left = width;
  return parts
    .map(({ text, tint }) => {
      const kept = fit(text, left);
      left -= widthOf(kept);
      return paintPart({ text: kept, tint });
    })
    .join("")
    .trimEnd();
}

/** Keeps spaces at both ends, which separate columns. */
function fit(text: string, columns: number): string {
  if (columns <= 0) return "";
  const before = /^ */.exec(text)?.[0] ?? "";
  const core = text.slice(before.length).replace(/(?<! ) +$/, "");
  const after = text.slice(before.length + core.length);
  if (before.length >= columns) return " ".repeat(columns);
  const kept = core === "" ? "" : shorten(core, columns - before.length);
  return before + kept + after.slice(0, Math.max(0, columns - before.length - widthOf(kept)));
}

const GAP = 2;

/** Keeps the right part whole while the left has `min` columns; below that, drops it. */
export function spread(
  left: readonly Part[],
  right: readonly Part[],
  width: number,
  min = 12,
): string {
  const safe = right.map(({ text, tint }) => part(fit(text, width), tint));
  const room = width - widthOfParts(safe) - GAP;
  if (right.length === 0 || room < min) return line(left, width);
  const begin = line(left, room);
  const end = safe.map(paintPart).join("");
  return `${begin}${" ".repeat(Math.max(GAP, room - widthOf(begin) + GAP))}${end}`;
}

/** Drops parts until the rest fits. */
export function fitting(parts: readonly Part[], width: number): Part[] {
  const shown = parts.filter(({ text }) => text !== "");
  const highest = Math.max(0, ...shown.map(({ rank = 0 }) => rank));
  if (highest === 0 || widthOfParts(shown) <= width) return shown;
  const kept = shown.filter(({ rank = 0 }) => rank < highest);
  return fitting(kept, width);
}
