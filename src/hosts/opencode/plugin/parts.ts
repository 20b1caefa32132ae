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

/** The user pressed Escape: that is not an error. */
export const ABORTED = "MessageAbortedError";

/** What other clients write where the user pressed Escape; models know it. */
export const INTERRUPTED = forModel("[Request interrupted by user]");

/** The model ended its message in order to use a tool: the turn goes on by itself. */
export const goesOn = ({ info }: Message): boolean =>
  info.finish === undefined || info.finish === "tool-calls" || info.finish === "unknown";

/**
 * Whether a conversation that ends like this was interrupted: without a word about it, what was asked before still seems
 * to be asked. A turn that we ended ourselves has a message of ours before its end that nobody saw.
 */
export function wasInterrupted(messages: readonly Message[]): boolean {
  const [last, before] = messages.toReversed();
  if (last === undefined) return false;
  const isHidden = (message: Message | undefined): boolean =>
    message?.info.role === "user" && message.parts.every((part) => isOurs(part) && part.ignored);
  if (last.info.role === "user") return last.parts.some(isOurs) && !isHidden(last);
  const { error } = last.info;
  return (error === undefined ? goesOn(last) : error.name === ABORTED) && !isHidden(before);
}
