import type { Now } from "../run/loop.ts";

export function readNow(): Now {
  const time = new Date();
  return {
    at: formatTime(time),
    get runId() {
      return `${time.getTime().toString(36)}-${Math.random().toString(36).slice(2, 6)}`;
    },
  };
}

/** Like `toISOString`, which looks up the time zone first: a dozen system calls that a hook can skip. */
export function formatTime(time: Date): string {
  const date = [time.getUTCFullYear(), time.getUTCMonth() + 1, time.getUTCDate()];
  const clock = [time.getUTCHours(), time.getUTCMinutes(), time.getUTCSeconds()];
  const milliseconds = `${time.getUTCMilliseconds()}`.padStart(3, "0");
  return `${date.map(twoDigits).join("-")}T${clock.map(twoDigits).join(":")}.${milliseconds}Z`;
}

const twoDigits = (count: number): string => `${count}`.padStart(2, "0");
