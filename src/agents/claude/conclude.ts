import type { Exit } from "../../exec/start.ts";
import { oneLine } from "../../text/template.ts";
import { type Fields, numberOf, textOf } from "../json.ts";
import type { Ending, Outcome, Usage } from "../port.ts";
import { endedWithoutResult } from "../process/headless.ts";
import { limitEnding } from "../resets-at.ts";
import { type Heard, tokensOfResult, usageOf } from "./read.ts";

/** How the run ended. Only a result without an error, for which the model was called, is a turn. */
export function conclude(state: Heard, exit: Exit): Outcome {
  const { result, text } = state;
  if (result === undefined) {
    return { ending: endingWithoutResult(state, exit), report: text, usage: usageOf(state) };
  }
  const usage = finalUsage(state, result);
  const said = textOf(result["result"]) ?? "";
  const isTurn = result["is_error"] !== true && result["subtype"] === "success";
  if (!isTurn) return { ending: failure(state, result, oneLine(said, 500)), report: text, usage };
  if (usage.tokens.input + usage.tokens.output === 0) {
    return { ending: crashed("it ended without calling the model"), report: text, usage };
  }
  return { ending: { kind: "turn" }, report: said === "" ? text : said, usage };
}

function finalUsage(state: Heard, result: Fields): Usage {
  const usd = numberOf(result["total_cost_usd"]);
  return {
    ...usageOf(state),
    tokens: tokensOfResult(result),
    ...(usd === undefined ? {} : { usd }),
  };
}

const crashed = (text: string): Ending => ({ kind: "crashed", text });

/** It may have said why before it ended. */
function endingWithoutResult(state: Heard, exit: Exit): Ending {
  const text = endedWithoutResult(exit);
  return state.rejected === undefined && state.error === undefined
    ? crashed(text)
    : failure(state, {}, text);
}

/** The client's names for errors that only the user can fix. */
const FOR_THE_USER = new Set([
  "authentication_failed",
  "oauth_org_not_allowed",
  "account_on_hold",
  "verification_required",
  "cloud_credential_error",
  "model_not_found",
]);

const BUSY = new Set(["rate_limit", "overloaded", "server_error"]);

function failure({ rejected, error = "" }: Heard, result: Fields, said: string): Ending {
  const text = said === "" ? `it failed: ${textOf(result["subtype"]) ?? error}` : said;
  const status = numberOf(result["api_error_status"]) ?? 0;
  const isLimit = result["api_error"] === "usage_limit_reached" || error === "billing_error";
  if (rejected !== undefined || isLimit) return limitEnding(text, rejected?.resetsAt);
  if (FOR_THE_USER.has(error) || status === 401 || status === 403) return { kind: "auth", text };
  if (BUSY.has(error) || status === 429 || status >= 500) return { kind: "busy", text };
  if (result["stop_reason"] === "refusal") return { kind: "refused", text };
  const isTooLong =
    result["terminal_reason"] === "prompt_too_long" || /prompt is too long/i.test(text);
  return isTooLong ? { kind: "too-long", text } : crashed(text);
}
