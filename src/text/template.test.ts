import { expect, it } from "vitest";
import { oneLine, showCommand } from "./template.ts";

it.each([
  ["grep -q 'a  b' x", "grep -q 'a  b' x"],
  ["  a", "  a"],
  ["set -e\nnpm  test\r\nls", "set -e⏎npm  test⏎ls"],
  ["a\tb\u001b[2J\u202e", String.raw`a\tb\u{1b}[2J\u{202e}`],
  ["abcdefghij", "abcdefg…"],
])("shows the command %j as it is run", (command, shown) => {
  expect(showCommand(command, command.startsWith("abc") ? 8 : undefined)).toBe(shown);
  // What is shown in a sentence stays so.
  expect(oneLine(`x ${shown} x`)).toBe(`x ${shown} x`);
});

it("puts text on one line, and leaves spaces alone", () => {
  expect(oneLine("  a  b \n\n  c\td\u0007 ")).toBe("a  b c d");
});
