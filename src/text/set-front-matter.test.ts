import { expect, it } from "vitest";
import { parseFrontMatter } from "./front-matter.ts";
import { formatFrontMatter, setFrontMatter } from "./set-front-matter.ts";

it.each([
  ["", "---\nagents: [a, b]\n---\n"],
  ["# Notes\n", "---\nagents: [a, b]\n---\n\n# Notes\n"],
  ["---\nreview: on\n---\ntext\n", "---\nagents: [a, b]\nreview: on\n---\ntext\n"],
  ["# Mine\n\n---\nreview: on\n---\n", "# Mine\n\n---\nagents: [a, b]\nreview: on\n---\n"],
  ["---\r\nreview: on\r\n---\r\n", "---\r\nagents: [a, b]\r\nreview: on\r\n---\r\n"],
  ["---\nagents: x\nreview: on\n---\n", "---\nagents: [a, b]\nreview: on\n---\n"],
  ["---\nAgents: [x, y] # mine\n---\n", "---\nagents: [a, b] # mine\n---\n"],
  [
    "---\n# why\nagents: x # mine\n---\nagents: no\n",
    "---\n# why\nagents: [a, b] # mine\n---\nagents: no\n",
  ],
  [
    "---\nagents:\n  - x\n  # or\n  - y\nreview: on\n---\n",
    "---\nagents: [a, b]\n  # or\nreview: on\n---\n",
  ],
  ["---\nagents: [x,\n  y]\nrun_env:\n  - A\n---\n", "---\nagents: [a, b]\nrun_env:\n  - A\n---\n"],
  ["---\nagents:\n---\n", "---\nagents: [a, b]\n---\n"],
  ["\uFEFF---\nagents: x\n", "\uFEFF---\nagents: [a, b]\n"],
  ["---\n---\n", "---\nagents: [a, b]\n---\n"],
])("%j becomes %j", (before, after) => {
  expect(setFrontMatter(before, "agents", "[a, b]")).toBe(after);
  expect(parseFrontMatter(after).values.get("agents")).toEqual(["a", "b"]);
});

it("a key that is there twice is for the user to change", () => {
  expect(setFrontMatter("---\nagents: x\nagents: y\n---\n", "agents", "z")).toBeUndefined();
});

it.each([
  [
    "---\nreview: on # why\n# more\nstrict: true\n---\ntext\n",
    "---\n# more\nstrict: true\n---\ntext\n",
  ],
  ["---\nreview:\n  - on\nstrict: true\n---\n", "---\nstrict: true\n---\n"],
  ["---\r\nreview: on\r\n---\r\n", "---\r\n---\r\n"],
  ["---\nstrict: true\n---\nreview: on\n", "---\nstrict: true\n---\nreview: on\n"],
  ["", ""],
])("without review, %j becomes %j", (before, after) => {
  expect(setFrontMatter(before, "review", undefined)).toBe(after);
});

it.each([
  "npm ci && npm run build",
  "https://example.org/Hook?a=b#c",
  'notify "it is done"',
  "say 'it is done'",
  "a # b",
  "[x]",
  "C:\\tools\\x",
  "-3",
  "a: b",
  "*",
  "",
])("%j is read as it was written", (text) => {
  const one = setFrontMatter("", "setup", formatFrontMatter([text], false)) ?? "";
  expect(parseFrontMatter(one).values.get("setup")).toEqual([text]);
  if (text === "" || /["']/.test(text)) return;
  const many = setFrontMatter("", "list", formatFrontMatter([text, "b, c"], true)) ?? "";
  expect(parseFrontMatter(many).values.get("list")).toEqual([text, "b, c"]);
});
