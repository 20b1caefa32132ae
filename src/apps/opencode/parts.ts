import type { Message, Part } from "./client.ts";

/** Marks what we wrote, so that it is not taken for the user's words. */
const OURS = { smartRalph: true };

/** The user sees the line, the model the text. */
export const forBoth = (line: string | undefined, text: string): Part[] => [
  ...(line === undefined ? [] : [forUser(line)]),
  forModel(text),
];

export const forUser = (text: string): Part => ({
  type: "text",
  text,
  ignored: true,
  metadata: OURS,
});

export const forModel = (text: string): Part => ({
  type: "text",
  text,
  synthetic: true,
  metadata: OURS,
});

/** Nobody sees it, until it is filled in. */
export const forNobody = (): Part => ({
  type: "text",
  text: "…",
  synthetic: true,
  ignored: true,
  metadata: OURS,
});

export const isOurs = ({ metadata }: Part): boolean => metadata?.["smartRalph"] === true;

/** What was said in a message, by the user or by the agent. */
export const textOf = (parts: Message["parts"]): string =>
  parts
    .filter(({ type, synthetic, ignored }) => type === "text" && !synthetic && !ignored)
    .map(({ text }) => text ?? "")
    .join("\n");
