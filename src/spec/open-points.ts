import { readMarkdown } from "../text/markdown.ts";
import { oneLine } from "../text/template.ts";
import type { NotedItem } from "./noted-items.ts";

/** Something that an agent could not settle: a question for the user, a contradiction, or a weak spot. */
export interface OpenPoint {
  readonly kind: "open" | "conflict" | "risk";
  readonly text: string;
}

const MAX_POINTS = 10;
const MAX_TEXT = 300;

/** A line of its own in the report: `OPEN: …`, `CONFLICT: …` or `RISK: …`, in a list or in bold if they like. */
const POINT = /^[*_`]{0,3}(OPEN|CONFLICT|RISK)[*_`]{0,3}:[*_`]{0,3}\s*(\S.*)$/s;
const NONE = /^(?:none|nothing|n\/a|no)\b[.\s]*$/i;

/** What an agent that wrote a document reports as open. Only text: nothing in it is followed. */
export function parseOpenPoints(report: string): OpenPoint[] {
  return readMarkdown(report)
    .filter(({ kind }) => kind === "text")
    .flatMap(({ text }) => readPoint(text) ?? [])
    .slice(0, MAX_POINTS);
}

function readPoint(line: string): OpenPoint | undefined {
  const [, kind, said = ""] = POINT.exec(line.trim().replace(/^`([^`]*)`$/, "$1")) ?? [];
  const text = oneLine(said, MAX_TEXT);
  if (kind === undefined || text === "" || NONE.test(text)) return undefined;
  return { kind: kind.toLowerCase() as OpenPoint["kind"], text };
}

/** As `.progress.md` and prompts say it. */
export const formatPoint = ({ kind, text }: OpenPoint): string => `${kind.toUpperCase()}: ${text}`;

export interface NotedPoint extends OpenPoint {
  readonly phase: string;
}

/** A point as it was noted; a line that is none of ours says nothing. */
export const readNotedPoints = (items: readonly NotedItem[]): NotedPoint[] =>
  items.flatMap(({ phase, text }) => {
    const point = readPoint(text);
    return point === undefined ? [] : [{ phase, ...point }];
  });
