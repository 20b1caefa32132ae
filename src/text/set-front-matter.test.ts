import { expect, it } from "vitest";
import { parseFrontMatter } from "./front-matter.ts";
import { setFrontMatter } from "./set-front-matter.ts";

it.each([
  ["", "---\nagents: [a, b]\n---\n"],
  ["# Notes\n", "---\nagents: [a, b]\n---\n\n# Notes\n"],
  ["---\nreview: on\n---\ntext\n", "---\nagents: [a, b]\nreview: on\n---\ntext\n"],
  ["# Mine\n\n---\nreview: on\n---\n", "# Mine\n\n---\nagents: [a, b]\nreview: on\n---\n"],
  ["---\r\nreview: on\r\n---\r\n", "---\r\nagents: [a, b]\r\nreview: on\r\n---\r\n"],
  ["---\nagents: x\nreview: on\n---\n", "---\nagents: [a, b]\nreview: on\n---\n"],
  ["---\nAgents: [x, y] # mine\n---\n", "---\nagents: [a, b]\n---\n"],
  ["---\n---\n", "---\nagents: [a, b]\n---\n"],
])("%j becomes %j", (before, after) => {
  expect(setFrontMatter(before, "agents", "[a, b]")).toBe(after);
  expect(parseFrontMatter(after).values.get("agents")).toEqual(["a", "b"]);
});

it.each([
  "---\nagents:\n  - x\n---\n",
  "---\nagents: [x,\n  y]\n---\n",
  "---\nagents: x\nagents: y\n---\n",
  "---\nagents:\n---\n",
])("%j is for the user to change", (text) => {
  expect(setFrontMatter(text, "agents", "[a, b]")).toBeUndefined();
});
