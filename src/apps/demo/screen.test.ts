import { expect, it } from "vitest";
import { openScreen, wrap } from "./screen.ts";

it.each([
  ["", 10, ""],
  ["a few words", 20, "a few words"],
  ["a few words", 5, "a few\n words"],
  ["one extraordinarily long", 5, "one\n extraordinarily\n long"],
  ["\u001b[32ma few\u001b[39m words", 11, "\u001b[32ma few\u001b[39m words"],
])("%j in %i columns", (text, width, lines) => {
  expect(wrap(text, width, 1)).toBe(lines);
});

it.each([40, 60, 80, 120])("stays within %i columns and keeps every word", (columns) => {
  let shown = "";
  const write = (text: string) => void (shown += text);
  const words = "✗ refused: the tests failed with exit code 1, ".repeat(6).trim();
  openScreen({ colour: false, columns, write, slow: false }).say("ralph", words);
  expect(Math.max(...shown.split("\n").map((line) => line.length))).toBeLessThanOrEqual(columns);
  expect(shown.replace(/\s+/g, " ").trim()).toBe(`ralph ${words}`);
});

it("colours each line by its mark, and nothing without colour", () => {
  const lines: string[] = [];
  const write = (text: string) => void lines.push(text);
  openScreen({ colour: true, columns: 80, write, slow: false }).say("ralph", "✓ 1.1 proven");
  expect(lines.join("")).toContain("\u001b[32m✓ 1.1 proven\u001b[39m");
});

it("names a speaker once, until a blank line", () => {
  const lines: string[] = [];
  const write = (text: string) => void lines.push(text);
  const screen = openScreen({ colour: false, columns: 80, write, slow: false });
  for (const text of ["one", "two"]) screen.say("agent", text);
  screen.write();
  screen.say("agent", "three");
  expect(lines).toEqual(["agent  one\n", "       two\n", "\n", "agent  three\n"]);
});
