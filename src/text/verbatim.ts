/** A block whose lines are taken as they are: a box or a heading in it is only text. */
export interface Verbatim {
  /** Whether this line is the last; `indent` is relative to the block's container. */
  readonly closes: (text: string, indent: number) => boolean;
  readonly endsAtBlank: boolean;
}

/** The code fence or HTML block that `text` opens. One that begins and ends on its line is "closed". */
export function openVerbatim(
  text: string,
  cutsParagraph: boolean,
): Verbatim | "closed" | undefined {
  return text.startsWith("<") ? openHtml(text, cutsParagraph) : openFence(text);
}

function openFence(text: string): Verbatim | undefined {
  const length = runLength(text);
  if (length < 3) return undefined;
  const character = text.charAt(0);
  // "```js```" is a code span, not a fence.
  if (character === "`" && text.includes("`", length)) return undefined;
  const closes = (line: string, indent: number): boolean =>
    indent < 4 &&
    line.startsWith(character) &&
    line.length >= length &&
    runLength(line) === line.length;
  return { closes, endsAtBlank: false };
}

/** How many times the text begins with its first character. */
function runLength(text: string): number {
  let length = 1;
  while (length < text.length && text[length] === text[0]) length++;
  return length;
}

const TAG_NAME = /^<(\/?)([a-z][a-z0-9-]*)(?=[\s/>]|$)/i;
const RAW_END = /<\/(?:pre|script|style|textarea)>/i;
/** An approximation: CommonMark also looks at the attributes, which may hold a ">". */
const LONE_TAG = /^<\/?[a-z][a-z0-9-]*(?:\s[^<>]*)?\/?>$/i;

/** The seven kinds of HTML block that CommonMark knows, by what ends them. */
function openHtml(text: string, cutsParagraph: boolean): Verbatim | "closed" | undefined {
  if (text.startsWith("<!--")) return openUntil((line) => line.includes("-->"), text);
  if (text.startsWith("<?")) return openUntil((line) => line.includes("?>"), text);
  if (text.startsWith("<![CDATA[")) return openUntil((line) => line.includes("]]>"), text);
  if (/^<![a-z]/i.test(text)) return openUntil((line) => line.includes(">"), text);
  const tag = TAG_NAME.exec(text);
  if (tag === null) return undefined;
  const [, slash, name = ""] = tag;
  const isRaw = RAW_END.test(`</${name}>`);
  if (isRaw && slash === "") return openUntil((line) => RAW_END.test(line), text);
  const isBlock = BLOCK_TAGS.includes(` ${name.toLowerCase()} `);
  if (!isBlock && (cutsParagraph || !LONE_TAG.test(text))) return undefined;
  return { closes: () => false, endsAtBlank: true };
}

function openUntil(closes: (line: string) => boolean, first: string): Verbatim | "closed" {
  return closes(first) ? "closed" : { closes, endsAtBlank: false };
}

const BLOCK_TAGS =
  " address article aside base basefont blockquote body caption center col colgroup dd details" +
  " dialog dir div dl dt fieldset figcaption figure footer form frame frameset h1 h2 h3 h4 h5 h6" +
  " head header hr html iframe legend li link main menu menuitem nav noframes ol optgroup option" +
  " p param search section summary table tbody td tfoot th thead title tr track ul ";
