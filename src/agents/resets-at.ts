import type { Ending } from "./port.ts";

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

/** Anything further away is a mistake, and not worth waiting for. */
const MAX_MS = 62 * DAY_MS;

/**
 * When a limit ends, read from a sentence for people: `try again at 5:13 PM`, `at Nov 19th, 2026 8:50 AM`,
 * `in 2 hours 3 minutes`, or from Google's `"retryDelay":"34s"`. Such times are local.
 */
export function resetsAtIn(text: string, now: Date): string | undefined {
  const time = stampIn(text) ?? dayIn(text) ?? clockIn(text, now) ?? spanIn(text, now);
  return time === undefined || Number.isNaN(time) || time > now.getTime() + MAX_MS
    ? undefined
    : new Date(time).toISOString();
}

/** A usage limit, with its end if that is known. */
export const limitEnding = (text: string, resetsAt: string | undefined): Limited => ({
  kind: "limit",
  text,
  ...(resetsAt === undefined ? {} : { resetsAt }),
});

type Limited = Extract<Ending, { kind: "limit" }>;

function stampIn(text: string): number | undefined {
  const [stamp] =
    /\b20\d\d-\d\d-\d\dT\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:Z|[+-]\d\d:?\d\d)/.exec(text) ?? [];
  return stamp === undefined ? undefined : Date.parse(stamp);
}

const MONTHS = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"];

function dayIn(text: string): number | undefined {
  const [, month = "", day, year, hours = "", minutes, half = ""] =
    /\b([A-Z][a-z]{2})[a-z]{0,6} (\d{1,2})(?:st|nd|rd|th)?,? (\d{4}),?(?: at)? (\d{1,2}):(\d\d) ?([AP]M)\b/i.exec(
      text,
    ) ?? [];
  const at = MONTHS.indexOf(month.toLowerCase());
  if (at === -1) return undefined;
  return endOfMinute(
    new Date(Number(year), at, Number(day), hoursOf(hours, half), Number(minutes)),
  );
}

function clockIn(text: string, now: Date): number | undefined {
  const [, hours, minutes, half = ""] =
    /\b(?:at|resets) (\d{1,2}):(\d\d) ?([AP]M)\b/i.exec(text) ?? [];
  if (hours === undefined) return undefined;
  const today = new Date(now);
  today.setHours(hoursOf(hours, half), Number(minutes), 0, 0);
  // A time that has just passed means today, not tomorrow.
  if (today.getTime() < now.getTime() - HOUR_MS) today.setDate(today.getDate() + 1);
  return endOfMinute(today);
}

const hoursOf = (hours: string, half: string): number =>
  (Number(hours) % 12) + (half.toLowerCase() === "pm" ? 12 : 0);

/** Seconds are left out, so the limit ends within that minute. A call before that would be rejected again. */
const endOfMinute = (time: Date): number => time.getTime() + MINUTE_MS;

const UNITS: readonly (readonly [unit: RegExp, ms: number])[] = [
  [/^d/, DAY_MS],
  [/^h/, HOUR_MS],
  [/^ms|^milli/, 1],
  [/^m/, MINUTE_MS],
  [/^s/, 1000],
];

function spanIn(text: string, now: Date): number | undefined {
  const unit = "(?:days?|hours?|minutes?|mins?|seconds?|secs?|ms|[dhms])";
  const part = `\\d{1,6}(?:\\.\\d{1,3})? ?${unit}`;
  const [, span] =
    new RegExp(
      `(?:\\b(?:in|after) |retryDelay"?: ?"?)(${part}(?:(?:,| and)? ?${part}){0,3})\\b`,
      "i",
    ).exec(text) ?? [];
  if (span === undefined) return undefined;
  const parts = span.toLowerCase().matchAll(/(?<![\d.])([\d.]+) ?([a-z]+)/g);
  const ms = [...parts].map(
    ([, amount, word = ""]) => Number(amount) * (UNITS.find(([is]) => is.test(word))?.[1] ?? 0),
  );
  return now.getTime() + ms.reduce((sum, one) => sum + one, 0);
}
