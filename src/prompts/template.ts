export type Values = Readonly<Record<string, string | number>>;

/** Fills `{{name}}` in one pass: text that comes in with a value is never filled in again. */
export function fill(template: string, values: Values): string {
  return template.replace(/\{\{(\w+)\}\}/g, (_, name: string) => {
    const value = values[name];
    if (value === undefined) throw new Error(`prompt wants {{${name}}}`);
    return String(value);
  });
}

/** Terminal escapes and marks that turn the direction of text around; tabs and line feeds may stay. */
export const UNSAFE =
  // eslint-disable-next-line no-control-regex -- control characters are just what is looked for
  /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g;

/** Text from a spec or an agent is data: nothing in it may steer a terminal. */
export const clean = (text: string): string => text.replace(UNSAFE, "");

/** On one line, and no longer than a line should be. */
export function oneLine(text: string, max = 200): string {
  const line = clean(text).replace(/\s+/g, " ").trim();
  return line.length > max ? `${line.slice(0, max - 1)}…` : line;
}
