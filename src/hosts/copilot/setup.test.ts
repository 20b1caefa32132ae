import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { fillFolder, makeFolder } from "../../../test/program/temporary.ts";
import { setup } from "./setup.ts";

const PACKAGE = "/clone";

const homeWith = (settings: object) => ({
  HOME: fillFolder(makeFolder(), { ".copilot/settings.json": JSON.stringify(settings) }),
});

const from = (source: object) => ({ extraKnownMarketplaces: { "smart-ralph": { source } } });

describe("init --client copilot", () => {
  const plan = (settings: object) =>
    setup
      .steps({ root: "/p", package: PACKAGE, plugin: "ralph-specum", env: homeWith(settings) })
      .map((step) => (step.kind === "run" ? step.command.slice(2).join(" ") : step.kind));

  it("adds the marketplace if the client does not know it, and installs the plugin", () => {
    const add = `marketplace add ${PACKAGE}`;
    const plugin = "install ralph-specum@smart-ralph";
    expect(plan({})).toEqual([add, plugin]);
    expect(plan(from({ source: "directory", path: PACKAGE }))).toEqual([plugin]);
    const remove = "marketplace remove --force smart-ralph";
    expect(plan(from({ source: "github", repo: "a/b" }))).toEqual([remove, add, plugin]);
  });
});

describe("doctor", () => {
  it.each([
    [{}, "info"],
    [{ enabledPlugins: { "ralph-specum@smart-ralph": true } }, "ok"],
    [{ enabledPlugins: { "ralph-specum@smart-ralph": false } }, "warning"],
    [{ enabledPlugins: { "ralph-speckit@smart-ralph": true } }, "info"],
  ])("with %j says %s", async (settings, severity) => {
    const env = homeWith(settings);
    expect(await setup.checkPlugin("ralph-specum", "/p", env)).toMatchObject({ severity });
    expect(
      await setup.checkPlugin("ralph-specum", "/p", { COPILOT_HOME: join(env.HOME, ".copilot") }),
    ).toMatchObject({ severity });
  });
});
