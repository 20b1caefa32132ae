import { expect, it } from "vitest";
import { readMenu } from "./menu.ts";

it("offers every command of the plugin", () => {
  const menu = readMenu("plugins/ralph-specum/commands", "ralph-specum");
  expect(menu["ralph-specum:implement"]?.template).toMatch(/^\/ralph-specum:implement \$ARGUMENTS/);
  for (const { description } of Object.values(menu)) expect(description).toMatch(/^\w/);
});
