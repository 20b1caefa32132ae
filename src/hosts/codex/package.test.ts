import { posix } from "node:path";
import { describe, expect, it } from "vitest";
import { editionsOf } from "../all.ts";
import { commandsOf } from "../commands.ts";
import { codex } from "./host.ts";
import { packageFiles } from "./package.ts";

interface Handler {
  readonly command: string;
  readonly commandWindows: string;
  readonly timeout: number;
  readonly additionalContextLimit?: number;
}

describe.each(editionsOf(codex))("the package of $plugin", (layout) => {
  const files = new Map(packageFiles([layout]).map(({ path, text }) => [path, text]));
  const at = (path: string): string => posix.join("plugins", layout.plugin, path);
  const read = <T>(path: string): T => JSON.parse(files.get(at(path)) ?? "null") as T;
  const manifest = read<Record<string, unknown>>(".codex-plugin/plugin.json");

  it("names its own hooks and skills, and keeps the client away from Claude's commands", () => {
    expect(files.has(at(manifest["hooks"] as string))).toBe(true);
    expect(manifest["commands"]).toEqual([]);
    for (const { name } of commandsOf(layout))
      expect(files.has(at(posix.join(manifest["skills"] as string, name, "SKILL.md")))).toBe(true);
  });

  it("has a skill for each command, which only the user invokes", () => {
    const skills = [...files].filter(([path]) => path.endsWith("/SKILL.md"));
    expect(skills).toHaveLength(commandsOf(layout).length);
    for (const [path, text] of skills) {
      expect(text).toMatch(/^---\nname: [a-z-]+\ndescription: ".+"\n---\n/);
      expect(files.get(path.replace("SKILL.md", "agents/openai.yaml"))).toContain(
        "allow_implicit_invocation: false",
      );
    }
  });

  it("runs hooks that hold nobody up if they cannot run", () => {
    const { hooks } = read<{ hooks: Record<string, [{ hooks: [Handler] }]> }>("codex/hooks.json");
    expect(Object.keys(hooks)).toEqual(expect.arrayContaining(["Stop", "UserPromptSubmit"]));
    for (const [event, [{ hooks: handlers }]] of Object.entries(hooks)) {
      const [{ command, commandWindows, timeout }] = handlers;
      for (const line of [command, commandWindows]) expect(line).toMatch(/ \|\| exit 0$/);
      // The client shortens what is longer there, and complains.
      if (event === "SessionEnd" || event === "Interrupt") expect(timeout).toBeLessThanOrEqual(3);
    }
    // Otherwise the client would cut a command's output after 10,000 bytes.
    expect(hooks["UserPromptSubmit"]?.[0].hooks[0].additionalContextLimit).toBe(0);
  });

  it("knows a command by what the client reports", () => {
    const gate = files.get(at("codex/gate")) ?? "";
    for (const sign of ["$", "/", "[$"])
      expect(gate).toContain(`*'"prompt":"${sign}${layout.plugin}:'*`);
  });
});
