import { clean, replaceUnsafe } from "./clean.ts";
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

/** On one line, and cut to `max` characters. Spaces stay as they are: they may be part of a command. */
export const oneLine = (text: string, max = 200): string =>
  keepStart(
    clean(text)
      .replace(/\s+/g, (run) => (/[^ ]/.test(run) ? " " : run))
      .trim(),
    max,
  );

/** A command as it was run, on one line: a line break is shown as `⏎`, and what a screen cannot show is escaped. */
export const showCommand = (command: string, max = 200): string =>
  cut(
    clean(
      replaceUnsafe(
        command.replace(/\r?\n/g, "⏎").replaceAll("\t", "\\t"),
        (odd) => `\\u{${odd.codePointAt(0)?.toString(16)}}`,
      ),
    ),
    max,
  );

const cut = (line: string, max: number): string =>
  line.length > max ? `${line.slice(0, max - 1)}…` : line;
