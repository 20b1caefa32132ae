import { ID_SHAPE } from "./ids.ts";

/** What a task's line says after its bullet. */
export interface Box {
  readonly checked: boolean;
  readonly id: string | undefined;
  readonly tags: readonly string[];
  readonly title: string;
}

/**
 * Reads `[ ] 1.2 [TAG] title`. A box with nothing after it asks for nothing and is not a task, and a
 * box under another list item is one of its steps unless it has an id.
 */
export function readBox(text: string, nested: boolean): Box | undefined {
  const mark = text[1] ?? "";
  const isBox = text[2] === "]" && " xX-~/".includes(mark);
  if (!isBox || (text[3] !== " " && text[3] !== "\t")) return readLooseBox(text, nested);

  const checked = mark === "x" || mark === "X";
  // `[-]`, `[~]`, `[/]`: agents mark what they are working on. Markdown has no such box, but the task must not vanish.
  const isStarted = !checked && mark !== " ";
  const tags: string[] = [];
  let title = text.slice(4).trimStart();
  let found = splitId(title, nested);
  if (found === undefined) {
    // `[P] T012 title`: some planners put the tags first.
    title = takeTags(title, tags);
    if (tags.length > 0) found = splitId(title, nested);
  }
  if (found === undefined) {
    return nested || isStarted ? undefined : { checked, id: undefined, tags, title };
  }
  title = found.rest;
  // `4.1 V4 [VERIFY] title`: older plans give the final checks two names.
  const alias = title.startsWith("V") ? (/^V(?:F|E?\d+)[ \t]+(?=\[)/.exec(title)?.[0] ?? "") : "";
  title = alias + takeTags(title.slice(alias.length), tags);
  return { checked, id: found.id, tags, title };
}

/** `[]`, `[ x ]`, `[✓]`: at most one sign, which is not a letter or a digit, or an x. */
const LOOSE =
  /^\[[ \t\u00A0]{0,4}((?:[xX]|[^\p{L}\p{N}\s[\]()*\\^]\uFE0F?)?)[ \t\u00A0]{0,4}\](?![(:*\\])/u;
const TICKS = "xX✓✔☑✅√";

/**
 * A box that is not quite one: `[]`, `[ x ]`, `[ ]1.2`, `[✓]`. Only an id after it shows that a task is meant. It is read
 * then, because a loop that skipped it would call the spec finished; lint reports it either way.
 */
function readLooseBox(text: string, nested: boolean): Box | undefined {
  const [box, mark = ""] = LOOSE.exec(text) ?? [];
  if (box === undefined) return undefined;
  const checked = mark !== "" && TICKS.includes(mark.charAt(0));
  const read = readBox(`[ ] ${text.slice(box.length).trimStart()}`, nested);
  return read?.id === undefined ? undefined : { ...read, checked };
}

/** Longer numbers are not ids: every line of the journal names one and must stay short. */
const ID_LENGTH = 60;
const ID_HERE = new RegExp(ID_SHAPE, "y");

function splitId(content: string, nested: boolean): { id: string; rest: string } | undefined {
  const mark = "*_~`[".includes(content.charAt(0)) ? markOf(content) : "";
  const isNamed = content.startsWith("Task ", mark.length);
  const start = mark.length + (isNamed ? 5 : 0);
  ID_HERE.lastIndex = start;
  const id = ID_HERE.exec(content)?.[0];
  if (id === undefined || id.length > ID_LENGTH) return undefined;
  const end = start + id.length;
  const next = content[end];
  const isPointed = next === "." || next === ")" || next === ":";
  if (!isNamed && id < "A" && !id.includes(".")) {
    // "3 retries" is a title, "3. Retry" has an id; among steps the number only counts them.
    const isSet = isPointed || (mark !== "" && content.startsWith(mark, end));
    if (nested || !isSet) return undefined;
  }
  let rest: string | undefined = content.slice(isPointed ? end + 1 : end);
  if (mark !== "") rest = withoutMark(rest, mark);
  // `1.2.0-rc` goes on, so it was not an id.
  else if (rest !== "" && rest[0] !== "[" && rest.trimStart() === rest) return undefined;
  if (rest === undefined) return undefined;
  rest = rest.trimStart();
  return { id, rest: "-–—".includes(rest.charAt(0)) ? rest.replace(/^[-–—][ \t]+/, "") : rest };
}

/** The bold, struck, code or bracket mark that the text opens with. */
function markOf(text: string): string {
  const first = text.charAt(0);
  if (first === "`" || first === "[") return first;
  return text[1] === first ? first + first : "";
}

/**
 * What follows an id, without the other half of the mark before it: `**1.2** title`,
 * `**1.2 title**`, `[1.2] title`. Undefined if it was not an id after all, as in `[1.2](url)`.
 */
function withoutMark(rest: string, mark: string): string | undefined {
  const closing = mark === "[" ? "]" : mark;
  if (rest.startsWith(closing)) {
    const behind = rest.slice(closing.length);
    return mark === "[" && behind.startsWith("(") ? undefined : behind.replace(/^[.):]/, "");
  }
  if (mark === "[" || (rest !== "" && rest.trimStart() === rest)) return undefined;
  const end = rest.indexOf(mark);
  return end === -1 ? rest : rest.slice(0, end) + rest.slice(end + mark.length);
}

const TAG_LENGTH = 61;

/** Moves the tags before a title to `tags`. `**[P]**` is one as well, a link `[text](url)` is not. */
function takeTags(content: string, tags: string[]): string {
  let rest = content;
  for (;;) {
    const mark = "*_`".includes(rest.charAt(0)) ? markOf(rest) : "";
    const start = mark.length;
    if (rest[start] !== "[" || !isLetter(rest, start + 1)) return rest;
    const end = rest.indexOf("]", start);
    const name = rest.slice(start + 1, end);
    const isTag = end !== -1 && name.length <= TAG_LENGTH && !name.includes("[");
    const behind = end + 1 + start;
    if (!isTag || rest[behind] === "(" || !rest.startsWith(mark, end + 1)) return rest;
    tags.push(name.trim().toUpperCase());
    rest = rest.slice(behind).trimStart();
  }
}

function isLetter(text: string, at: number): boolean {
  const code = text.charCodeAt(at) | 32;
  return code >= 97 && code <= 122;
}
