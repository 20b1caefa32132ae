import { splitLines } from "../text/blocks.ts";
import { type Line, readMarkdown } from "../text/markdown.ts";
import { readSections } from "../text/sections.ts";

/** A file that a plan says is in the spec's folder. */
export interface ListedFile {
  /** From the spec's folder. */
  readonly path: string;
  readonly isFolder: boolean;
  readonly line: number;
}

const MAX_LISTED = 100;
const BRANCH = /^[│|\s]*(?:[├└]─+|[|+`]-{2,})\s*/;
const NAME = /^[\w@-][\w.@-]*(?:\/[\w@-][\w.@-]*)*\/?$/;
const ABSENT = /^(?:not\b|no\b|none\b|n\/a\b|skipped\b|omitted\b)/i;

/** The tree under "Documentation (this feature)". An entry whose remark says that it is not needed lists nothing. */
export function readListedFiles(plan: string): ListedFile[] {
  const lines = readMarkdown(plan);
  const section = readSections(lines).find(({ title }) => /^documentation\b/i.test(title));
  const code = section === undefined ? [] : lines.slice(section.line, section.endLine);
  const source = splitLines(plan);
  // Depth is in the indentation, which a line by itself has lost.
  const block = firstBlock(code).map(({ number }) => ({ number, text: source[number - 1] ?? "" }));
  return readTree(block).slice(0, MAX_LISTED);
}

function firstBlock(lines: readonly Line[]): readonly Line[] {
  const start = lines.findIndex(({ kind }) => kind === "code");
  const rest = start === -1 ? [] : lines.slice(start);
  const end = rest.findIndex(({ kind }) => kind !== "code" && kind !== "blank");
  return (end === -1 ? rest : rest.slice(0, end)).filter(
    ({ text }) => !/^(?:`{3}|~{3})/.test(text),
  );
}

function readTree(lines: readonly Pick<Line, "number" | "text">[]): ListedFile[] {
  const found: ListedFile[] = [];
  const above: { readonly at: number; readonly path: string }[] = [];
  for (const { text, number } of lines) {
    const at = (BRANCH.exec(text) ?? /^\s*/.exec(text))?.[0].length ?? 0;
    const [name = "", ...remark] = text.slice(at).trimEnd().split(/\s+/);
    if (name === "") continue;
    while ((above.at(-1)?.at ?? -1) >= at) above.pop();
    const isRoot = found.length === 0 && above.length === 0 && at === 0 && name.endsWith("/");
    const path = isRoot ? "" : `${above.at(-1)?.path ?? ""}${name}`;
    above.push({ at, path: path === "" || path.endsWith("/") ? path : `${path}/` });
    const said = remark.join(" ").replace(/^[#(←—–-]+\s*/, "");
    if (isRoot || !NAME.test(name) || ABSENT.test(said)) continue;
    found.push({ path, isFolder: name.endsWith("/"), line: number });
  }
  return found;
}
