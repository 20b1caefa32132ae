import { describe, expect, it } from "vitest";
import { resetsAtIn } from "./resets-at.ts";

const now = new Date(2026, 10, 16, 8, 50, 20);
const at = (...parts: [number, number, number, number, number, number?]): string =>
  new Date(...parts).toISOString();

describe("when a limit ends", () => {
  it.each([
    ["You’ve hit your usage limit. Try again at 10:53 AM.", at(2026, 10, 16, 10, 54)],
    ["… or try again at 5:13 PM.", at(2026, 10, 16, 17, 14)],
    ["try again at 12:05 AM.", at(2026, 10, 17, 0, 6)],
    ["try again at 12:05 PM.", at(2026, 10, 16, 12, 6)],
    ["resets 9:59am", at(2026, 10, 16, 10, 0)],
    ["or try again at Nov 19th, 2026 8:50 AM.", at(2026, 10, 19, 8, 51)],
    ["or try again at Dec 1st, 2026 12:00 PM.", at(2026, 11, 1, 12, 1)],
    ["Please try again in 2 hours 3 minutes.", at(2026, 10, 16, 10, 53, 20)],
    ["try again in 3 days, 4 hours and 5 minutes", at(2026, 10, 19, 12, 55, 20)],
    ["Please try again in 45s.", at(2026, 10, 16, 8, 51, 5)],
    ["try again in 1h 2m", at(2026, 10, 16, 9, 52, 20)],
    ["resets at 2026-11-16T09:30:00Z", "2026-11-16T09:30:00.000Z"],
  ])("%s", (text, expected) => {
    expect(resetsAtIn(text, now)).toBe(expected);
  });

  it("a time that has just passed is today's; one from this morning is tomorrow's", () => {
    expect(resetsAtIn("try again at 8:50 AM", now)).toBe(at(2026, 10, 16, 8, 51));
    expect(resetsAtIn("try again at 8:40 AM", now)).toBe(at(2026, 10, 16, 8, 41));
    expect(resetsAtIn("try again at 7:40 AM", now)).toBe(at(2026, 10, 17, 7, 41));
  });

  it.each([
    "or try again later.",
    "Quota exceeded. Check your plan and billing details.",
    "look at 5 files in 3 folders",
    "try again in 99999 days",
    "try again at Foo 19th, 2026 8:50 AM",
    "",
  ])("is not stated: %s", (text) => {
    expect(resetsAtIn(text, now)).toBeUndefined();
  });
});
