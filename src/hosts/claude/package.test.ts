import { expect, it } from "vitest";
import { layouts } from "../../../test/support/editions.ts";
import { stateSchema } from "../../run/state.ts";
import { marketplaceFile, pluginFiles } from "./package.ts";

it.each(layouts)("$plugin brings the schema of its state", (layout) => {
  const names = {
    specum: "ralph-state",
    speckit: "speckit-state",
    openspec: "ralph-change-state",
  };
  const name = names[layout.id];
  const path = `plugins/${layout.plugin}/schemas/${name}.schema.json`;
  const file = pluginFiles(layout).find((one) => one.path === path);
  expect(JSON.parse(file?.text ?? "{}")).toEqual(stateSchema());
});

it("every list of plugins says that they need no other", () => {
  const said = (JSON.parse(marketplaceFile().text) as { plugins: { description: string }[] })
    .plugins;
  for (const { description } of said) expect(description).toMatch(/self-contained/i);
});
