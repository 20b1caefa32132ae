/** Whatever is too long is cut at the end of a line or a word, if that leaves half of the room filled. */
const isTooShort = (kept: number, max: number): boolean => kept < max / 2;

/** The beginning of a text, in at most `max` characters. */
export function keepStart(text: string, max: number): string {
  if (text.length <= max) return text;
  const end = Math.max(text.lastIndexOf(" ", max - 1), text.lastIndexOf("\n", max - 1));
  const kept = text.slice(0, isTooShort(end, max) ? max - 1 : end);
  return `${kept.replace(/(?<![\s,;:(–—-])[\s,;:(–—-]+$/, "")}…`;
}

/** The end of a text, in at most `max` characters. */
export function keepEnd(text: string, max: number): string {
  if (text.length <= max) return text;
  const from = text.length - max + 1;
  const [line, word] = [text.indexOf("\n", from), text.indexOf(" ", from - 1) + 1];
  const isStart = (at: number): boolean => at > 0 && !isTooShort(text.length - at, max);
  return `…${text.slice(isStart(line) ? line : isStart(word) ? word : from)}`;
}

/** The first lines of a text, and what `tellRest` says of those that do not fit. */
export function keepLines(
  lines: readonly string[],
  max: number,
  tellRest: (count: number) => string,
): string[] {
  let room = max;
  const end = lines.findIndex((line) => (room -= line.length + 1) < 0);
  return end === -1 ? [...lines] : [...lines.slice(0, end), tellRest(lines.length - end)];
}
