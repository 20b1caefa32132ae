import { isObject } from "../../text/schema.ts";
import { oneLine } from "../../text/template.ts";
import type { Ending } from "../port.ts";
import { limitEnding, resetsAtIn } from "../resets-at.ts";

/** An error that an agent reported. */
export interface Failure {
  readonly code?: number;
  readonly message: string;
  readonly data?: unknown;
}

type Kind = "limit" | "busy" | "auth" | "too-long" | "refused" | "crashed";

/** The first match decides. Agents pass on what the service said, so these are the services' words. */
const WORDS: readonly (readonly [Kind, RegExp])[] = [
  [
    "too-long",
    /context[ _-]?(?:length|window|overflow|limit)|maximum number of tokens|input token count|(?:prompt|input|request) (?:is )?too (?:long|large)|too many (?:input )?tokens/i,
  ],
  [
    "limit",
    /quota|usage[ _]?limit|hit your (?:\w+ )?limit|limit (?:reached|exceeded).{0,200}resets|usageLimitExceeded|billing|insufficient|out of credits?|credit balance|\bcredits\b|payment required/i,
  ],
  [
    "auth",
    /api[ _]?key|api_key_invalid|unauthori[sz]ed|unauthenticated|authenticat|auth(?:orization)? (?:required|failed|error)|not logged in|log ?in|sign in|permission.denied|credentials?\b|providerauth/i,
  ],
  ["refused", /content[ _]policy|prohibited_content|blocked.{0,200}safety|safety.{0,200}blocked/i],
  [
    "busy",
    /rate.?limit|too many requests|overloaded|at capacity|server_error|unavailable|resource_exhausted|try again later|timed? ?out|ECONNREFUSED|ECONNRESET|ENOTFOUND|EAI_AGAIN|fetch failed|network error|socket hang up|unable to connect|connection error/i,
  ],
];

const BY_STATUS: readonly (readonly [Kind, (status: number) => boolean])[] = [
  ["limit", (status) => status === 402],
  ["auth", (status) => status === 401 || status === 403],
  ["too-long", (status) => status === 413],
  ["busy", (status) => status === 408 || status === 429 || (status >= 500 && status < 600)],
];

/** ACP's error code. */
const AUTH_REQUIRED = -32_000;

/** What a failure means for the run. `now` turns "in 30s" into a time. */
export function classify(
  failure: Failure,
  now: number,
): Exclude<Ending, { kind: "turn" | "stopped" }> {
  const details = detailsOf(failure.data);
  const said = `${failure.message} ${details}`;
  const text = oneLine(readable(failure, details), 500);
  const kind = kindOf(failure, said);
  return kind === "limit" ? limitEnding(text, resetsAtIn(said, new Date(now))) : { kind, text };
}

function kindOf({ code }: Failure, said: string): Kind {
  if (code === AUTH_REQUIRED) return "auth";
  const byWords = WORDS.find(([, words]) => words.test(said))?.[0];
  if (byWords !== undefined) return byWords;
  const status = statusOf(code, said);
  if (status === undefined) return "crashed";
  return BY_STATUS.find(([, fits]) => fits(status))?.[0] ?? "crashed";
}

/** Gemini CLI gives the HTTP status as the error code, Qwen Code as the first word of the details. */
function statusOf(code: number | undefined, said: string): number | undefined {
  if (code !== undefined && code >= 400 && code < 600) return code;
  const [, status] = /(?:^|[\s:"(])([45]\d\d)(?=$|[\s:,")])/.exec(said) ?? [];
  return status === undefined ? undefined : Number(status);
}

function detailsOf(data: unknown): string {
  if (typeof data === "string") return data;
  return isObject(data) ? JSON.stringify(data).slice(0, 4000) : "";
}

/** If the text contains a service's JSON, only the message in it is for people. */
function readable({ message, data }: Failure, details: string): string {
  const inner = /"message":\s*"((?:[^"\\]|\\.)+)"/.exec(message)?.[1];
  if (inner !== undefined) return inner;
  if (!/^internal error\.?$/i.test(message)) return message;
  const said = isObject(data) ? (data["details"] ?? data["message"]) : undefined;
  return typeof said === "string" ? said : `${message} ${details}`.trim();
}
