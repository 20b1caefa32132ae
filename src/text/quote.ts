import { clean } from "./clean.ts";

/** The first will do for most, and spares the hook the look-up of large classes. */
const PLAIN_ASCII = /^[\w.-]{0,80}$/;
const PLAIN_ANY = /^(?:[\p{L}\p{N}\p{M}._-]{0,80}|[A-Za-z]:)$/u;
const isPlain = (name: string): boolean => PLAIN_ASCII.test(name) || PLAIN_ANY.test(name);
const MAX_NAME = 40;
const MAX_PATH = 200;

/**
 * A name as it may stand in our own sentences. Whoever made the project chose its folders: one that is called like a
 * sentence would speak to the user, or the model, in our voice.
 */
export const quoteName = (name: string): string =>
  isPlain(name) ? name : JSON.stringify(cut(name, MAX_NAME));

/** The same for a path; a part of it that is cut can still be found by looking. */
export function quotePath(path: string): string {
  const parts = path.split("/");
  if (path.length <= MAX_PATH && parts.every(isPlain)) return path;
  const short = parts.map((part) => (isPlain(part) ? part : cut(part, MAX_NAME))).join("/");
  return JSON.stringify(cut(short, MAX_PATH));
}

function cut(text: string, max: number): string {
  const line = clean(text).replace(/\s+/g, " ");
  return line.length > max ? `${line.slice(0, max - 1)}…` : line;
}
