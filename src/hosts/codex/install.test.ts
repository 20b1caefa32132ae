import { expect, it } from "vitest";
import { fillFolder, makeFolder } from "../../../test/program/temporary.ts";
import { install } from "./install.ts";

it("adds the plugin, and lets agents commit in the client's sandbox", () => {
  const folder = fillFolder(makeFolder(), {
    "plugins/ralph-specum/.codex-plugin/plugin.json": '{\n  "version": "9.8.7"\n}\n',
  });
  const wish = { root: "/p", package: folder, plugin: "ralph-specum", env: { HOME: "/home/me" } };
  const [marketplace, plugin, rules] = install.steps(wish);
  expect(marketplace).toMatchObject({ command: ["codex", "plugin", "marketplace", "add", folder] });
  expect(plugin).toMatchObject({ command: ["codex", "plugin", "add", "ralph-specum@smart-ralph"] });
  expect(rules).toMatchObject({ kind: "file", path: ".codex/rules/smart-ralph.rules" });
  const text =
    rules?.kind === "file" ? rules.text.split("\n").filter((line) => !line.startsWith("#")) : [];
  expect(text[0]).toBe('prefix_rule(pattern = ["git", ["add", "commit"]], decision = "allow")');
  expect(text[1]).toContain(
    '["/home/me/.codex/plugins/cache/smart-ralph/ralph-specum/9.8.7/bin/ralph-specum", ["next","done"',
  );
  for (const verb of ["approve", "resume", "implement", "accept", "cancel"])
    expect(text[1]).not.toContain(`"${verb}"`);
});

it("looks where the user has told the client to live", () => {
  const wish = {
    root: "/p",
    package: "/nowhere",
    plugin: "ralph-specum",
    env: { CODEX_HOME: "/c" },
  };
  expect(JSON.stringify(install.steps(wish))).toContain(
    "/c/plugins/cache/smart-ralph/ralph-specum/",
  );
});
