import type { Loop } from "./journal.ts";

/** A line of the journal has to stay short, whatever the client calls its calls, and however many there are. */
const MAX_CALL = 100;
const MAX_OUT = 20;

/** In the place of a task: the last review. */
export const REVIEW = "review";

/** An agent starts work on a task, or on a document. */
export function addAgent(loop: Loop, callId: string, task: string): Loop {
  const out = Object.entries({ ...loop.out, [callId.slice(0, MAX_CALL)]: task });
  return { ...loop, out: Object.fromEntries(out.slice(-MAX_OUT)) };
}

/** It has ended. Undefined if nobody noted that it began. */
export function removeAgent(
  loop: Loop,
  callId: string,
): { readonly task: string; readonly loop: Loop } | undefined {
  const { [callId.slice(0, MAX_CALL)]: task, ...out } = loop.out;
  return task === undefined ? undefined : { task, loop: { ...loop, out } };
}

/** The call that started somebody on a task who has not ended. */
export const findAgent = ({ out }: Loop, task: string): string | undefined =>
  Object.keys(out).find((call) => out[call] === task);
