import { readFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { expect, it, onTestFinished, vi } from "vitest";
import { layouts } from "../../src/layouts/all.ts";
import { writeLease } from "../support/lease.ts";
import { makeFolder } from "./temporary.ts";

type Hooks = Readonly<Record<string, (...args: unknown[]) => Promise<void>>>;
type Plugin = (input: object) => Promise<Hooks>;

const folderOf = (plugin: string): string => join("plugins", plugin, "opencode");

async function load(plugin: string): Promise<Record<string, Plugin>> {
  const manifest = JSON.parse(readFileSync(join(folderOf(plugin), "package.json"), "utf8")) as {
    exports: { "./server": string };
  };
  const file = join(folderOf(plugin), manifest.exports["./server"]);
  return (await import(/* @vite-ignore */ pathToFileURL(file).href)) as Record<string, Plugin>;
}

/** A client that fails at everything it is asked. */
const broken = { client: {}, directory: "/nowhere" };

it.each(layouts)(
  "$plugin has one export, because the client takes each for a plugin",
  async (layout) => {
    const exported = Object.values(await load(layout.plugin));
    expect(exported).toEqual([expect.any(Function)]);
  },
);

it.each(layouts)("$plugin adds its commands, but the user's own stay", async ({ plugin }) => {
  const [start] = Object.values(await load(plugin));
  const hooks = await (start as Plugin)(broken);
  const own = { description: "mine", template: "mine" };
  const settings = { command: { [`${plugin}:status`]: own } };
  await hooks["config"]?.(settings);
  expect(settings.command).toHaveProperty([`${plugin}:implement`, "template"]);
  expect(settings.command[`${plugin}:status`]).toBe(own);
});

it("never fails in the client, whatever comes", async () => {
  const [start] = Object.values(await load("ralph-specum"));
  const hooks = await (start as Plugin)(broken);
  expect(Object.keys(hooks).length).toBeGreaterThan(7);
  for (const hook of Object.values(hooks))
    for (const args of [[], [{}, {}], [{ sessionID: "s", event: { type: "session.idle" } }, {}]])
      await expect(hook(...args)).resolves.toBeUndefined();
});

it("does nothing in a session that is driven from outside", async () => {
  const [start] = Object.values(await load("ralph-specum"));
  const home = makeFolder();
  vi.stubEnv("HOME", home);
  vi.stubEnv("XDG_STATE_HOME", "");
  vi.stubEnv("SMART_RALPH_DRIVEN", "run-1");
  onTestFinished(() => void vi.unstubAllEnvs());
  expect(Object.keys(await (start as Plugin)(broken))).not.toEqual([]);
  writeLease(home);
  expect(await (start as Plugin)(broken)).toEqual({});
});
