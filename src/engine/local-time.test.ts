import { expect, it } from "vitest";
import { localTime } from "./local-time.ts";

/** Whatever zone the tests run in. */
const at = (...parts: [number, number, number, number, number, number]): string =>
  new Date(...parts).toISOString();

it("is the reader's own clock, with the day if it is another one", () => {
  const time = at(2026, 0, 5, 9, 7, 3);
  expect(localTime(time, at(2026, 0, 5, 23, 0, 0))).toBe("09:07:03");
  expect(localTime(time, at(2026, 0, 6, 0, 0, 0))).toBe("2026-01-05 09:07:03");
});

it("shows what is not a time as it is, on one line", () => {
  expect(localTime("yesterday\nat noon", at(2026, 0, 1, 0, 0, 0))).toBe("yesterday at noon");
});
