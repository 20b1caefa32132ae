import { execFileSync } from "node:child_process";
import { chmodSync, existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { layouts } from "../support/editions.ts";
import { REPOSITORY } from "./child.ts";
import { fillFolder, makeFolder } from "./temporary.ts";

type Event = Readonly<Record<string, unknown>>;

interface Hook {
  readonly command: string;
}
type Hooks = Readonly<Record<string, readonly { readonly hooks: readonly Hook[] }[]>>;

/** A hook as the client runs it, in a project with nothing of ours; whether it starts node, and with which words. */
function run(command: string, env: Readonly<Record<string, string>>, input: Event): string {
  const home = fillFolder(makeFolder(), {
    "bin/node": '#!/bin/sh\necho "$@" >"$HOME/started"\n',
    "project/.git/HEAD": "",
    // A file, because a gate may end without reading it.
    input: JSON.stringify(input),
  });
  chmodSync(join(home, "bin", "node"), 0o755);
  const root = join(home, "project");
  execFileSync("sh", ["-c", `exec <"$HOME/input"; ${command}`], {
    cwd: root,
    env: { PATH: `${join(home, "bin")}:/usr/bin:/bin`, HOME: home, ...env, ...placeOf(env, root) },
  });
  const started = join(home, "started");
  return existsSync(started) ? readFileSync(started, "utf8").trim() : "";
}

const placeOf = (env: Readonly<Record<string, string>>, root: string) =>
  Object.fromEntries(
    Object.keys(env).flatMap((key) => (key.endsWith("_DIR") ? [[key, root]] : [])),
  );

const posix = describe.skipIf(process.platform === "win32");

posix.each(layouts)("$plugin in Copilot CLI", ({ plugin, id }) => {
  const root = join(REPOSITORY, "plugins", plugin);
  const { hooks } = JSON.parse(readFileSync(join(root, "copilot/hooks.json"), "utf8")) as {
    hooks: Hooks;
  };
  const commandOf = (event: string): string => hooks[event]?.[0]?.hooks[0]?.command ?? "";
  const env = { COPILOT_PLUGIN_ROOT: root, COPILOT_PROJECT_DIR: "" };
  const prompt = (fields: Event): string => run(commandOf("UserPromptSubmit"), env, fields);

  it("starts for our commands, also where there is no spec yet, and for nothing else", () => {
    const started = `--preserve-symlinks-main ${root}/dist/hook.cjs ${id} prompt copilot`;
    expect(prompt({ prompt: `/${plugin}:start x` })).toBe(started);
    const chosen = `The user explicitly invoked the "/${plugin}:start" skill. Follow it.`;
    expect(prompt({ prompt: chosen })).toBe(started);
    expect(prompt({ prompt: "hello" })).toBe("");
    expect(prompt({ prompt: `see /${plugin}:start` })).toBe("");
    expect(run(commandOf("Stop"), env, { stop_reason: "end_turn" })).toBe("");
  });

  it("is installed with its own commands, without those of another client", () => {
    const manifest = JSON.parse(
      readFileSync(join(root, ".github/plugin/plugin.json"), "utf8"),
    ) as Record<string, unknown>;
    expect(manifest).toMatchObject({ name: plugin, agents: [] });
    for (const key of ["commands", "hooks"])
      expect(existsSync(join(root, String(manifest[key])))).toBe(true);
  });
});

posix.each(layouts)("$plugin in Qwen Code", ({ plugin, id }) => {
  const manifest = JSON.parse(readFileSync(join(REPOSITORY, "qwen-extension.json"), "utf8")) as {
    readonly hooks: Hooks;
    readonly commands: readonly string[];
  };
  const commandOf = (event: string): string =>
    (manifest.hooks[event]?.[0]?.hooks ?? [])
      .map(({ command }) => command)
      .find((command) => command.includes(`/${plugin}"`))
      ?.replaceAll("${CLAUDE_PLUGIN_ROOT}", REPOSITORY) ?? "";
  const prompt = (fields: Event): string =>
    run(commandOf("UserPromptSubmit"), { QWEN_PROJECT_DIR: "" }, fields);

  it("starts for our commands, also where there is no spec yet, and for nothing else", () => {
    const started = `--preserve-symlinks-main ${REPOSITORY}/plugins/${plugin}/dist/hook.cjs ${id} prompt qwen`;
    const long = "x".repeat(10_000);
    expect(prompt({ prompt: long, submitted_prompt: `/${plugin}:start ${long}` })).toBe(started);
    expect(prompt({ prompt: "hello", submitted_prompt: "hello" })).toBe("");
    expect(prompt({ prompt: `/${plugin}:approve` })).toBe("");
    expect(prompt({ prompt: "" })).toBe("");
  });

  it("has its commands in the folder that gives them their names", () => {
    const folder = manifest.commands.find((path) => path.includes(plugin)) ?? "";
    const file = join(REPOSITORY, folder, plugin, "implement.md");
    expect(readFileSync(file, "utf8")).toContain("disable-model-invocation: true");
  });
});
