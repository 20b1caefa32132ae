import { oneLine } from "../text/template.ts";

const two = (value: number): string => String(value).padStart(2, "0");

export const dayOf = (date: Date): string =>
  `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`;

const clockOf = (date: Date): string =>
  [date.getHours(), date.getMinutes(), date.getSeconds()].map(two).join(":");

/** For people: in their own time zone, without the day if that is today. JSON keeps what was recorded. */
export function localTime(iso: string, now: string): string {
  const date = new Date(iso);
  if (Number.isNaN(date.getTime())) return oneLine(iso, 20);
  const day = dayOf(date);
  return day === dayOf(new Date(now)) ? clockOf(date) : `${day} ${clockOf(date)}`;
}

/** What is said of a run whose process died. To the minute: its heart beats every few seconds, and nobody saw it die. */
export const tellDied = (at: string, now: string = new Date().toISOString()): string =>
  `the runner died at ${localTime(at, now).replace(/:\d\d$/, "")}`;
