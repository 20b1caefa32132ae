import { describe, expect, it } from "vitest";
import { fillFolder, makeFolder } from "../../../test/program/temporary.ts";
import { checkHooks, checkSandbox, programsIn, sandboxRules, setup } from "./setup.ts";

const hook = (more: object = {}) => ({
  key: "ralph-specum@smart-ralph:codex/hooks.json:stop:0:0",
  pluginId: "ralph-specum@smart-ralph",
  enabled: true,
  trustStatus: "trusted",
  ...more,
});
const answer = (...hooks: readonly object[]) => ({ data: [{ cwd: "/p", hooks }] });

describe("hooks", () => {
  it.each([
    ["that the client trusts", answer(hook(), hook({ trustStatus: "managed" })), "ok", "trusted"],
    [
      "that nobody has trusted",
      answer(hook(), hook({ trustStatus: "untrusted" })),
      "warning",
      "after you have",
    ],
    ["that changed since", answer(hook({ trustStatus: "modified" })), "warning", "has changed"],
    ["of which one is off", answer(hook(), hook({ enabled: false })), "warning", "disabled"],
    [
      "of another plugin",
      answer(hook({ pluginId: "ralph-speckit@smart-ralph" })),
      "info",
      "not installed",
    ],
    ["of none", answer(), "info", "not installed"],
    [
      "of a client that says something else",
      { data: [7, {}, { hooks: ["x"] }] },
      "info",
      "not installed",
    ],
    ["of a client that says nothing", undefined, "info", "does not say"],
  ])("%s", (_, said, severity, message) => {
    const finding = checkHooks("ralph-specum", said);
    expect(finding).toMatchObject({
      severity,
      message: expect.stringContaining(message) as string,
    });
    expect(finding.fix === undefined).toBe(severity === "ok");
  });
});

it("finds the program again that it wrote into the rules", () => {
  for (const path of ["/home/me/bin/ralph-specum", "C:\\me\\bin\\ralph-specum"])
    expect(programsIn(sandboxRules(path))).toEqual([path]);
});

describe("the sandbox", () => {
  const trusted = { projects: { "/p": { trust_level: "trusted" } } };
  const rules = sandboxRules("/home/me/bin/ralph-specum");

  it.each([
    ["is off", { sandbox_mode: "danger-full-access" }, "", "ok"],
    ["lets nobody commit", trusted, "", "warning"],
    ["has our rule", trusted, rules, "ok"],
    [
      "has a rule of the user's",
      trusted,
      'prefix_rule(pattern=["git", "commit"], decision="allow")',
      "ok",
    ],
    [
      "has a rule for something else",
      trusted,
      'prefix_rule(pattern=["git", "add"], decision="allow")',
      "warning",
    ],
    [
      "has a rule that forbids it",
      trusted,
      'prefix_rule(pattern=["git", "commit"], decision="forbidden")',
      "warning",
    ],
    [
      "has it in a comment",
      trusted,
      '# prefix_rule(pattern=["git", "commit"], decision="allow")',
      "warning",
    ],
    [
      "may write .git",
      { ...trusted, sandbox_workspace_write: { writable_roots: ["/p/.git"] } },
      "",
      "ok",
    ],
    ["of a project that is not trusted", { projects: null }, rules, "info"],
  ])("%s", (_, settings, text, severity) => {
    expect(checkSandbox("/p", settings, [text]).severity).toBe(severity);
  });
});

it("adds the plugin, and lets agents commit in the client's sandbox", () => {
  const folder = fillFolder(makeFolder(), {
    "plugins/ralph-specum/.codex-plugin/plugin.json": '{\n  "version": "9.8.7"\n}\n',
  });
  const wish = { root: "/p", package: folder, plugin: "ralph-specum", env: { HOME: "/home/me" } };
  const [marketplace, plugin, rules] = setup.steps(wish);
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
  expect(JSON.stringify(setup.steps(wish))).toContain("/c/plugins/cache/smart-ralph/ralph-specum/");
});
