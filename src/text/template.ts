import { clean } from "./clean.ts";
import { keepStart } from "./cut.ts";

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
export const oneLine = (text: string, max = 200): string =>
  keepStart(clean(text).replace(/\s+/g, " ").trim(), max);
