import { clean } from "./clean.ts";
import { keepStart } from "./cut.ts";

/** Just creating the second expression is slow, as it compiles large classes: for most names the first is enough. */
const isPlain = (name: string): boolean =>
  (name.length <= 80 && /^[\w.-]*$/.test(name)) ||
  // Some marks are invisible.
  (/^(?:[\p{L}\p{N}\p{M}._-]{0,80}|[A-Za-z]:)$/u.test(name) && clean(name) === name);
const MAX_NAME = 40;
const MAX_PATH = 200;

/**
 * A name, safe to use in our own sentences. Whoever made the project chose its folder names: one that reads like a
 * sentence would speak to the user, or the model, in our voice.
 */
export const quoteName = (name: string): string =>
  isPlain(name) ? name : JSON.stringify(cut(name, MAX_NAME));

/** The same for a path. */
export function quotePath(path: string): string {
  const parts = path.split("/");
  if (path.length <= MAX_PATH && parts.every(isPlain)) return path;
  const short = parts.map((part) => (isPlain(part) ? part : cut(part, MAX_NAME))).join("/");
  return JSON.stringify(cut(short, MAX_PATH));
}

/** One word for a POSIX shell, whatever it contains. */
export const quoteForShell = (text: string): string =>
  /^[\w./@:,+-]+$/.test(text) ? text : `'${clean(text).replaceAll("'", `'\\''`)}'`;

const cut = (text: string, max: number): string => keepStart(clean(text).replace(/\s+/g, " "), max);
