import { WAITS } from "../../facts/marks.ts";
import type { Waiting } from "../../facts/waiting.ts";
import { quoteName } from "../../text/quote.ts";
import { oneLine } from "../../text/template.ts";
import { widthOf, wrap } from "./columns.ts";
import type { Paint } from "./paint.ts";

/** What waits for the user, under its title; no lines if nothing does. With several specs, each line has the name of its own. */
export function renderWaiting(
  waiting: readonly Waiting[],
  style: Paint,
  width: number | undefined,
  count = 1,
): string[] {
  const lines = waiting.map((one) => showWaiting(count > 1 ? named(one) : one, style, width));
  return lines.length === 0 ? [] : [style.bold("Waits for you:"), ...lines];
}

/** The same where nothing else says which spec it is, and why its run has stopped. */
export const renderAmongSpecs = (
  waiting: readonly Waiting[],
  style: Paint,
  width: number | undefined,
): string[] =>
  waiting.map((one) => {
    const what =
      one.why === undefined ? one.what : `${one.why}; ${one.what.replace(/^The /, "the ")}`;
    return showWaiting(named({ ...one, what }), style, width);
  });

const named = (one: Waiting): Waiting => ({ ...one, what: `${quoteName(one.spec)}: ${one.what}` });

/** What to type stands beside it if there is room, and is left whole, so that it can be copied. */
function showWaiting(
  { what, todo }: Waiting,
  { warn, accent }: Paint,
  width: number = Infinity,
): string {
  const said = `${warn(WAITS)} ${oneLine(what, 1000)}`;
  const line = `${said.replace(/:$/, "")}: ${accent(todo)}`;
  return widthOf(line) <= width ? line : `${wrap(said, width)}\n  ${accent(todo)}`;
}
