import { expect, it } from "vitest";
import { planAgentFolders } from "./folders.ts";

const HOME = "/home/me";

it.each([
  ["claude", {}, "/home/me/.claude", "/home/me/.claude/settings.json"],
  ["claude", { CLAUDE_CONFIG_DIR: "/c" }, "/c", "/c/settings.json"],
  ["claude", { CLAUDE_CONFIG_DIR: "relative" }, "/home/me/.claude", "/home/me/.claude/plugins"],
  ["codex", { CODEX_HOME: "/x" }, "/x", "/x/config.toml"],
  ["gemini", {}, "/home/me/.gemini", "/home/me/.gemini/settings.json"],
  ["qwen", {}, "/home/me/.qwen", "/home/me/.qwen/settings.json"],
  ["copilot", {}, "/home/me/.copilot", "/home/me/.copilot/hooks"],
])("%s with %j writes %s, but not %s", (agent, env, folder, kept) => {
  const { writable, readOnly } = planAgentFolders(agent, { HOME, ...env });
  expect(writable[0]).toBe(folder);
  expect(readOnly).toContain(kept);
});

it("an agent from the settings has the usual folders, and without a home there are none", () => {
  expect(planAgentFolders("kimi", { HOME }).writable).toEqual([
    "/home/me/.kimi",
    "/home/me/.config/kimi",
    "/home/me/.cache/kimi",
    "/home/me/.local/share/kimi",
    "/home/me/.local/state/kimi",
  ]);
  expect(planAgentFolders("claude", {})).toEqual({ writable: [], readOnly: [] });
  // Some names are properties of every object.
  expect(planAgentFolders("constructor", { HOME }).writable).toContain("/home/me/.constructor");
});
