import type { Exit } from "../../exec/start.ts";
import { oneLine } from "../../text/template.ts";
import type { Ending, Outcome } from "../port.ts";
import { endedWithoutResult } from "../process/headless.ts";
import { limitEnding, resetsAtIn } from "../resets-at.ts";
import { type Heard, type Trouble, usageOf } from "./read.ts";

/** How the run ended. Only a result without an error, for which the model was called, is a turn. */
export function conclude(state: Heard, exit: Exit, now: Date): Outcome {
  return { ending: endingOf(state, exit, now), report: state.text, usage: usageOf(state) };
}

const crashed = (text: string): Ending => ({ kind: "crashed", text });

function endingOf({ result, error, trouble, guess }: Heard, exit: Exit, now: Date): Ending {
  const failed = error ?? (result === undefined ? trouble : undefined);
  if (failed !== undefined) return failureOf(failed, now);
  if (result === undefined) {
    const text = endedWithoutResult(exit);
    // If it is not logged in, it says so before it prints any JSON.
    return NO_LOGIN.test(exit.stderr) ? { kind: "auth", text } : crashed(text);
  }
  const { exitCode: code } = result;
  if (code !== 0)
    return crashed(`it ended with ${typeof code === "number" ? code : "no exit code"}`);
  return guess.calls > 0 ? { kind: "turn" } : crashed("it ended without calling the model");
}

const TOO_LONG = /too long|context.(?:length|window|limit)|maximum context|prompt token count/i;

/** Limits of an account, as opposed to too many requests at once. */
const ACCOUNT = /weekly|monthly|session rate limit|hit your rate limit|allowance|quota|credits/i;

const NO_ANSWER =
  /retried \d+ times|overloaded|timed? ?out|network|connect|ECONN|ENOTFOUND|fetch failed/i;

function failureOf(trouble: Trouble, now: Date): Ending {
  const { type, code, status, message } = trouble;
  const text = oneLine(message, 500);
  const limit = limitEnding(text, resetsAtIn(text, now));
  if (type === "quota" || status === 402 || /quota|billing/.test(code)) return limit;
  if (type === "context_limit" || TOO_LONG.test(message)) return { kind: "too-long", text };
  if (/content.filter|responsible ai/i.test(message)) return { kind: "refused", text };
  if (isForTheUser(trouble)) return { kind: "auth", text };
  if (type === "rate_limit" || status === 429) {
    const isAccount =
      code.startsWith("user_") || ACCOUNT.test(message) || isFar(limit.resetsAt, now);
    return isAccount ? limit : { kind: "busy", text };
  }
  if (status >= 500 || NO_ANSWER.test(message)) return { kind: "busy", text };
  return crashed(text);
}

const isForTheUser = ({ type, status, message }: Trouble): boolean =>
  ["authentication", "authorization", "policy"].includes(type) ||
  status === 401 ||
  status === 403 ||
  NO_LOGIN.test(message) ||
  /^model .{1,100} not found/i.test(message);

const NO_LOGIN = /not (?:authenticated|logged in)|no authentication/i;

/** Too far away for a service that is only busy. */
const FAR_MS = 5 * 60_000;

const isFar = (resetsAt: string | undefined, now: Date): boolean =>
  resetsAt !== undefined && Date.parse(resetsAt) - now.getTime() > FAR_MS;
