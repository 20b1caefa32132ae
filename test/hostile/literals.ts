import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { PROCESS_NAME } from "../../src/store/process-id.ts";
import { ID_SHAPE } from "../../src/tasks/ids.ts";
import { ID } from "../../src/tasks/references.ts";
import { REPOSITORY } from "../program/child.ts";

/** A regular expression of the source, and where it is. */
export interface Literal {
  readonly place: string;
  readonly regex: RegExp;
}

/** Of lists of words any one will do. */
const SHARED = { ID, ID_SHAPE, PROCESS_NAME, FIX: ["fix"], TIDY: ["tidy"] };

/** Every regular expression in the program's own files, but for those that are made of what they are given. */
export function readSource(): Literal[] {
  return readdirSync(join(REPOSITORY, "src"), { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".ts") && !name.endsWith(".test.ts"))
    .sort()
    .flatMap((name) => {
      const text = readFileSync(join(REPOSITORY, "src", name), "utf8");
      const scope = readTexts(text, SHARED);
      return findLiterals(text).flatMap(({ line, source }) => {
        const place = `src/${name.replaceAll("\\", "/")}:${line}`;
        const regex = unlessGiven(() => evaluate(source, scope) as RegExp);
        return regex === undefined ? [] : [{ place, regex }];
      });
    });
}

type Scope = Readonly<Record<string, unknown>>;

/** Undefined if it is made of what it is given: constants have capital letters. */
function unlessGiven<T>(make: () => T, isGiven = /^[a-z]/): T | undefined {
  try {
    return make();
  } catch (error) {
    if (error instanceof ReferenceError && isGiven.test(error.message)) return undefined;
    throw error;
  }
}

/** Texts that a file's expressions are put together from, each from those above it. */
function readTexts(text: string, imported: Scope): Scope {
  const scope: Record<string, unknown> = { ...imported };
  const texts =
    /^(?:export )?const ([A-Z_]+) =\s+((?:String\.raw)?`[^`]*`|"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*');$/gm;
  for (const [, name, source] of text.matchAll(texts)) {
    const made = unlessGiven(() => evaluate(source as string, scope), /./);
    if (made !== undefined) scope[name as string] = made;
  }
  return scope;
}

const evaluate = (source: string, scope: Scope): unknown =>
  // eslint-disable-next-line no-new-func -- the source is our own, and so is what comes out
  new Function(...Object.keys(scope), `return ${source}`)(...Object.values(scope));

/** After one of these a slash begins an expression; after a name or a bracket it divides. */
const OPENERS = new Set("(,=:[!&|?{};>\n+");
/** These are not names. */
const WORDS = /\b(?:return|case|typeof|in|of)\s*$/;

const lineAt = (text: string, at: number): number => text.slice(0, at).split("\n").length;

export function findLiterals(text: string): { line: number; source: string }[] {
  const found: { line: number; source: string }[] = [];
  let before = "\n";
  for (let at = 0; at < text.length;) {
    const end = skip(text, at, before);
    const piece = text.slice(at, end);
    if (piece.startsWith("/") && !/^\/[/*]/.test(piece) && piece.length > 1) {
      found.push({ line: lineAt(text, at), source: piece });
    }
    if (text.startsWith("new RegExp(", at)) {
      found.push({
        line: lineAt(text, at),
        source: text.slice(at, closing(text, at + "new RegExp".length)),
      });
    }
    if (!/^(?:\s|\/[/*])/.test(piece)) before = piece.at(-1) as string;
    at = end;
  }
  return found;
}

/** Where the string, comment, expression or character that begins here ends. */
function skip(text: string, at: number, before: string): number {
  const first = text[at] as string;
  if (text.startsWith("//", at)) return endOf(text, "\n", at);
  if (text.startsWith("/*", at)) return endOf(text, "*/", at + 2) + 2;
  if (first === '"' || first === "'" || first === "`") return endOfQuoted(text, at);
  const isExpression =
    first === "/" && (OPENERS.has(before) || WORDS.test(text.slice(Math.max(0, at - 20), at)));
  return isExpression ? endOfExpression(text, at) : at + 1;
}

function endOf(text: string, mark: string, from: number): number {
  const end = text.indexOf(mark, from);
  return end === -1 ? text.length : end;
}

/** What is in `${…}` is taken for text, except that it may have texts of its own: no expression begins there. */
function endOfQuoted(text: string, start: number): number {
  const isTemplate = text[start] === "`";
  let at = start + 1;
  while (at < text.length && text[at] !== text[start]) {
    if (isTemplate && text.startsWith("${", at)) at = endOfSlot(text, at + 2);
    else at += text[at] === "\\" ? 2 : 1;
  }
  return at + 1;
}

function endOfSlot(text: string, start: number): number {
  let at = start;
  for (let depth = 1; at < text.length;) {
    const one = text[at] as string;
    if (one === "{") depth++;
    if (one === "}" && --depth === 0) break;
    at = "\"'`".includes(one) ? endOfQuoted(text, at) : at + 1;
  }
  return at + 1;
}

function endOfExpression(text: string, start: number): number {
  let at = start + 1;
  for (let inClass = false; inClass || text[at] !== "/"; at++) {
    if (at >= text.length) throw new Error(`no expression begins at ${start}`);
    if (text[at] === "\\") at++;
    else if (text[at] === "[") inClass = true;
    else if (text[at] === "]") inClass = false;
  }
  at++;
  while (/[a-z]/.test(text.charAt(at))) at++;
  return at;
}

/** The bracket that closes the one at `open`. */
function closing(text: string, open: number): number {
  let depth = 0;
  for (let at = open; at < text.length;) {
    const one = text[at] as string;
    if (one === "(") depth++;
    if (one === ")" && --depth === 0) return at + 1;
    at = '"`'.includes(one) ? endOfQuoted(text, at) : at + 1;
  }
  throw new Error("a bracket is not closed");
}
