import { oneLine } from "../../text/template.ts";
import { endedWithoutResult } from "../ended-without-result.ts";
import type { Ending, Outcome } from "../port.ts";
import type { Exit } from "../process/start.ts";
import { resetsAtIn } from "../resets-at.ts";
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
  if (type === "quota" || status === 402 || /quota|billing/.test(code)) return limit(text, now);
  if (type === "context_limit" || TOO_LONG.test(message)) return { kind: "too-long", text };
  if (/content.filter|responsible ai/i.test(message)) return { kind: "refused", text };
  if (isForTheUser(trouble)) return { kind: "auth", text };
  if (type === "rate_limit" || status === 429) {
    const isAccount = code.startsWith("user_") || ACCOUNT.test(message) || isFar(text, now);
    return isAccount ? limit(text, now) : { kind: "busy", text };
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

function isFar(text: string, now: Date): boolean {
  const resetsAt = resetsAtIn(text, now);
  return resetsAt !== undefined && Date.parse(resetsAt) - now.getTime() > FAR_MS;
}

function limit(text: string, now: Date): Ending {
  const resetsAt = resetsAtIn(text, now);
  return { kind: "limit", text, ...(resetsAt === undefined ? {} : { resetsAt }) };
}
