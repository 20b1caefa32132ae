import { chmodSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { layouts, specum } from "../support/editions.ts";
import { findingOf, makePlace } from "./support.ts";
import { fillFolder, makeFolder } from "./temporary.ts";

const WIGGUM = "ralph-wiggum@claude-plugins";
const enable = (id: string, on = true): string => JSON.stringify({ enabledPlugins: { [id]: on } });

describe("doctor and other plugins", () => {
  it.each<[what: string, file: string, text: string, code: string, says: RegExp, fix: string]>([
    [
      "a loop plugin in the project's settings",
      ".claude/settings.json",
      enable(WIGGUM),
      "competing-plugin",
      /plugin ralph-wiggum@claude-plugins has a Stop hook too, and two stop hooks compete/,
      "claude plugin disable ralph-wiggum@claude-plugins",
    ],
    [
      "one in its local settings",
      ".claude/settings.local.json",
      enable("ralph-loop@x"),
      "competing-plugin",
      /plugin ralph-loop@x has a Stop hook too/,
      "claude plugin disable ralph-loop@x",
    ],
    [
      "settings that are broken",
      ".claude/settings.json",
      "{",
      "settings-unreadable",
      /not valid JSON/,
      "fix the file; the client ignores it",
    ],
  ])("finds %s", (_, file, text, code, says, fix) => {
    const place = makePlace(specum, { [file]: text });
    expect(findingOf(place, code)).toEqual({
      severity: "warning",
      code,
      message: expect.stringMatching(says) as string,
      target: join(place.root, file),
      fix,
    });
  });

  it("looks into the user's settings, where the client keeps them", () => {
    const place = makePlace(specum);
    fillFolder(place.env["HOME"] as string, { ".claude/settings.json": enable(WIGGUM) });
    expect(findingOf(place, "competing-plugin")).toMatchObject({ severity: "warning" });
    const elsewhere = fillFolder(makeFolder(), { "settings.json": "{}" });
    expect(
      findingOf(place, "competing-plugin", { env: { CLAUDE_CONFIG_DIR: elsewhere } }),
    ).toBeUndefined();
  });

  it("lets the nearer settings win", () => {
    const place = makePlace(specum, {
      ".claude/settings.json": enable(WIGGUM),
      ".claude/settings.local.json": enable(WIGGUM, false),
    });
    expect(findingOf(place, "competing-plugin")).toBeUndefined();
  });

  it.each(layouts)("does not take $plugin for another", ({ plugin }) => {
    expect(
      findingOf(
        makePlace(specum, { ".claude/settings.json": enable(`${plugin}@smart-ralph`) }),
        "stop-hooks",
      ),
    ).toBeDefined();
  });

  const STOP = { Stop: [{ hooks: [] }] };
  it.each<[what: string, files: Record<string, unknown>, competes: boolean]>([
    ["a Stop hook", { "hooks/hooks.json": { hooks: STOP } }, true],
    [
      "a Stop hook in a file of another name",
      { ".claude-plugin/plugin.json": { hooks: "./h.json" }, "h.json": { hooks: STOP } },
      true,
    ],
    ["a Stop hook in its manifest", { ".claude-plugin/plugin.json": { hooks: STOP } }, true],
    ["other hooks only", { "hooks/hooks.json": { hooks: { PreToolUse: [] } } }, false],
    ["no hooks", {}, false],
    ["nonsense for hooks", { "hooks/hooks.json": [1, null] }, false],
  ])("looks into an installed plugin with %s", (_, files, competes) => {
    const place = makePlace(specum, { ".claude/settings.json": enable("guard@market") });
    const installPath = join(place.env["HOME"] as string, "cache/guard");
    const text = Object.entries(files).map(([name, value]) => [name, JSON.stringify(value)]);
    fillFolder(installPath, {
      "README.md": "",
      ...(Object.fromEntries(text) as Record<string, string>),
    });
    for (const noted of [[{ installPath }], { installPath }]) {
      fillFolder(place.env["HOME"] as string, {
        ".claude/plugins/installed_plugins.json": JSON.stringify({
          plugins: { "guard@market": noted },
        }),
      });
      expect(findingOf(place, "competing-plugin") !== undefined).toBe(competes);
    }
  });

  it("mentions a Stop hook in the settings themselves", () => {
    const hooks = { hooks: { Stop: [{ hooks: [{ type: "command", command: "true" }] }] } };
    const place = makePlace(specum, { ".claude/settings.json": JSON.stringify(hooks) });
    expect(findingOf(place, "own-stop-hook")).toMatchObject({ severity: "info" });
  });

  it("asks the client on PATH for its version", () => {
    const bin = fillFolder(makeFolder(), { claude: "#!/bin/sh\necho '1.0.0 (Claude Code)'\n" });
    chmodSync(join(bin, "claude"), 0o755);
    const place = makePlace(specum);
    const env = { PATH: `${bin}:${place.env["PATH"]}` };
    expect(findingOf(place, "claude", { env })).toMatchObject({
      severity: "warning",
      fix: expect.stringContaining("claude update") as string,
    });
  });

  it("works without a project", () => {
    const place = makePlace(specum);
    expect(place.json(["doctor"], { cwd: makeFolder() })).toMatchObject({ code: 0, ok: true });
  });
});
