import { localTime } from "../../../engine/local-time.ts";
import { formatTime } from "../../../run/cost.ts";

/** `03:10`, in the user's time zone, with the date if it is not today. */
export const clock = (iso: string, now: number): string =>
  localTime(iso, new Date(now).toISOString()).replace(/^(.*\d\d:\d\d):\d\d$/, "$1");

/** How long until then: `in 1 h 12 min`. Whole seconds, so that a countdown does not flicker. */
export function untilThen(iso: string, now: number): string {
  const ms = Date.parse(iso) - now;
  return ms > 0 ? `in ${duration(ms)}` : "now";
}

/** In whole seconds. */
export const duration = (ms: number): string => {
  const seconds = Math.max(0, Math.floor(ms / 1000));
  return seconds < 10 ? `${seconds} s` : formatTime(seconds * 1000);
};

/** `25 min`, `10 s`: rounded, because a forecast is not exact. */
export function roughly(ms: number): string {
  const seconds = ms / 1000;
  const step = seconds < 55 ? 5 : seconds < 600 ? 60 : 300;
  return duration(Math.max(1, Math.round(seconds / step)) * step * 1000);
}
