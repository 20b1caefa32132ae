export type Values = Readonly<Record<string, string | number>>;

/** Fills `{{name}}` in one pass: text that comes in with a value is never filled in again. */
export function fill(template: string, values: Values): string {
  return template.replace(/\{\{(\w+)\}\}/g, (_, name: string) => {
    const value = values[name];
    if (value === undefined) throw new Error(`prompt wants {{${name}}}`);
    return String(value);
  });
}

/** Text from a spec or an agent is data: terminal escapes and direction marks are taken out of it. */
export const clean = (text: string): string =>
  // eslint-disable-next-line no-control-regex -- control characters are just what is looked for
  text.replace(
    /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u200e\u200f\u202a-\u202e\u2066-\u2069]/g,
    "",
  );

/** On one line, and no longer than a line should be. */
export function oneLine(text: string, max = 200): string {
  const line = clean(text).replace(/\s+/g, " ").trim();
  return line.length > max ? `${line.slice(0, max - 1)}…` : line;
}
