export type YamlValue =
  | string
  | number
  | boolean
  | null
  | readonly YamlValue[]
  | { readonly [key: string]: YamlValue };

/** A value, and how many characters of the text it takes. */
interface Found<T> {
  readonly value: T;
  readonly length: number;
}

/** A quoted text at the beginning, over several lines if need be. Undefined if there is none, or not all of it. */
export function readQuoted(text: string): Found<string> | undefined {
  const single = /^'((?:[^']|'')*)'(?!')/.exec(text);
  if (single !== null) {
    return { value: fold(single[1] as string).replaceAll("''", "'"), length: single[0].length };
  }
  const double = /^"((?:[^"\\]|\\[\s\S])*)"/.exec(text);
  if (double === null) return undefined;
  return { value: unescape(fold(double[1] as string)), length: double[0].length };
}

/** A line break is a space, and n blank lines are n line breaks; one after a backslash is nothing. */
const fold = (text: string): string =>
  text
    .replace(/(?<!\\)((?:\\\\)*)\\\n/g, "$1")
    .replace(/(?<![ \t])[ \t]*\n(\n*)/g, (_, more: string) => more || " ");

const ESCAPES: Readonly<Record<string, string>> = {
  "0": "\0",
  a: "\x07",
  b: "\b",
  e: "\x1b",
  f: "\f",
  n: "\n",
  r: "\r",
  t: "\t",
  v: "\v",
  N: "\x85",
  _: "\xa0",
  L: "\u2028",
  P: "\u2029",
};

const unescape = (text: string): string =>
  text.replace(
    /\\(?:x([\da-f]{2})|u([\da-f]{4})|U([\da-f]{8})|([\s\S]))/gi,
    (_, x?: string, u?: string, long?: string, one = "") => {
      const code = Number.parseInt(x ?? u ?? long ?? "", 16);
      if (Number.isNaN(code)) return ESCAPES[one] ?? one;
      return code > 0x10_ff_ff ? "\uFFFD" : String.fromCodePoint(code);
    },
  );

const MAX_DEPTH = 20;

/** `[a, b]` or `{a: b}` at the beginning. Undefined if there is none, or not all of it. */
export function readFlow(text: string, depth = 0): Found<YamlValue> | undefined {
  const close = text.startsWith("[") ? "]" : text.startsWith("{") ? "}" : undefined;
  if (close === undefined || depth > MAX_DEPTH) return undefined;
  const items: YamlValue[] = [];
  const entries: [string, YamlValue][] = [];
  let at = skipSpace(text, 1);
  while (text[at] !== close) {
    const key = readFlowItem(text.slice(at), depth);
    if (key === undefined) return undefined;
    at = skipSpace(text, at + key.length);
    if (close === "]") {
      items.push(key.value);
    } else {
      const colon = text[at] === ":" ? skipSpace(text, at + 1) : at;
      const value = colon === at ? undefined : readFlowItem(text.slice(colon), depth);
      entries.push([String(key.value), value?.value ?? null]);
      at = skipSpace(text, colon + (value?.length ?? 0));
    }
    if (text[at] === ",") at = skipSpace(text, at + 1);
    else if (text[at] !== close) return undefined;
  }
  return { value: close === "]" ? items : Object.fromEntries(entries), length: at + 1 };
}

function readFlowItem(text: string, depth: number): Found<YamlValue> | undefined {
  const found = readQuoted(text) ?? readFlow(text, depth + 1);
  if (found !== undefined) return found;
  const plain = /^[^\s"'#&*!|>%@`[\]{},:](?:[^,[\]{}\n:#]|:(?=\S)|(?<=\S)#)*/.exec(text)?.[0];
  if (plain === undefined) return undefined;
  return { value: plainValue(plain.trimEnd()), length: plain.length };
}

const skipSpace = (text: string, at: number): number =>
  at + (/^\s*/.exec(text.slice(at))?.[0].length ?? 0);

/** The words for true and false are those of YAML 1.1, which most tools still write. */
export function plainValue(text: string): YamlValue {
  if (/^(?:~|null|)$/i.test(text)) return null;
  if (/^(?:true|yes|on)$/i.test(text)) return true;
  if (/^(?:false|no|off)$/i.test(text)) return false;
  return /^-?(?:0|[1-9]\d{0,14})$/.test(text) ? Number(text) : text;
}
