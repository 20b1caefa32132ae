import { expect, it } from "vitest";
import { isMisnumbered, LEAVE, numberOptions, readAnswer } from "./answers.ts";

const asked = { options: ["sqlite", "postgres"] };

it.each([
  ["1", "sqlite"],
  ["2", "postgres"],
  ["POSTGRES", "postgres"],
  ["neither", "neither"],
  ["Leave it", LEAVE],
])("reads %j as %j", (said, meant) => expect(readAnswer(asked, said)).toBe(meant));

it.each([
  [asked, "3", true],
  [asked, "0", true],
  [asked, "12", true],
  [asked, "2", false],
  [asked, "3 of them", false],
  [{ options: [] }, "3", false],
  [{ options: ["8", "16"] }, "16", false],
])("%j: %j names no option: %j", (entry, said, isWrong) =>
  expect(isMisnumbered(entry, said)).toBe(isWrong),
);

it("numbers the options", () => {
  expect(numberOptions(asked)).toBe("1. sqlite, 2. postgres");
});
