import { clean } from "./clean.ts";

export { clean };

export type Values = Readonly<Record<string, string | number>>;

/** Fills `{{name}}` in one pass: values are not filled in turn. */
export function fill(template: string, values: Values): string {
  return template.replace(/\{\{(\w+)\}\}/g, (_, name: string) => {
    const value = values[name];
    if (value === undefined) throw new Error(`prompt needs {{${name}}}`);
    return String(value);
  });
}

/** On one line, and cut to `max` characters. */
export function oneLine(text: string, max = 200): string {
  const line = clean(text).replace(/\s+/g, " ").trim();
  return line.length > max ? `${line.slice(0, max - 1)}…` : line;
}

/** The same, cut between words where that is possible. */
export function firstWords(text: string, max: number): string {
  const line = oneLine(text, max);
  const end = line.endsWith("…") ? line.lastIndexOf(" ") : -1;
  return end < max / 2 ? line : `${line.slice(0, end).replace(/[\s,;:(–—-]+$/, "")}…`;
}
