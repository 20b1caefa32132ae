import { Refusal } from "../../engine/refusal.ts";
import { faultOf } from "../../store/read.ts";
import { replaceUnsafe } from "../../text/clean.ts";
import { clean, oneLine } from "../../text/template.ts";
import { wrap } from "./columns.ts";
import { type Context, EXIT, type ExitCode, type Result } from "./command.ts";
import { paint } from "./paint.ts";

/**
 * What a command prints. Commands show text from specs and agents; anything they forgot to clean is cleaned here, so it
 * cannot control a terminal. Our own colours stay.
 */
export function renderResult(
  { ok = true, text, json: value, verbatim, streamed }: Result,
  json: boolean,
  { colour, width }: Pick<Context, "colour" | "width">,
): string {
  if (json) return streamed === true ? "" : `${renderJson({ ok, ...value })}\n`;
  // eslint-disable-next-line no-control-regex -- the colours of paint.ts
  const parts = colour ? text.split(/(\u001b\[\d{1,2}m)/) : [text];
  const safe = parts.map((part, i) => (i % 2 === 0 ? clean(part) : part)).join("");
  if (safe === "") return "";
  return `${width === undefined || verbatim === true ? safe : wrap(safe, width)}\n`;
}

export function renderError(
  error: unknown,
  program: string,
  json: boolean,
  colour: boolean,
  width = Infinity,
): { code: ExitCode; text: string } {
  const { code, message, fix } = describe(error);
  if (json) {
    const what = { code, message, ...(fix === undefined ? {} : { fix }) };
    return { code, text: `${renderJson({ ok: false, error: what })}\n` };
  }
  const line = fix === undefined ? message : `${message}; ${fix}`;
  const text = `${paint(colour).bad(`${program}:`)} ${oneLine(line, 2000)}`;
  return { code, text: `${wrap(text, width)}\n` };
}

/** JSON may be read on a screen too: it can express every character without showing it. */
const renderJson = (value: object): string => escapeUnsafe(JSON.stringify(value, null, 2));

export const escapeUnsafe = (json: string): string =>
  replaceUnsafe(json, (character) => character.split("").map(escaped).join(""));

/** One half of a pair at a time: that is how JSON writes characters past U+FFFF. */
const escaped = (unit: string): string => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`;

function describe(error: unknown): { code: ExitCode; message: string; fix?: string | undefined } {
  if (error instanceof Refusal)
    return { code: EXIT[error.kind], message: error.message, fix: error.fix };
  const fault = faultOf(error);
  if (fault !== undefined)
    return { code: EXIT.broken, message: fault, fix: "fix that and try again" };
  return { code: EXIT.internal, message: error instanceof Error ? error.message : String(error) };
}
