import { homedir } from "node:os";
import { join } from "node:path";
import { objectAt, readJson } from "../claude/client-settings.ts";
import type { Environment } from "../host.ts";
import { text } from "../json.ts";

type Json = Readonly<Record<string, unknown>>;

export const MARKETPLACE = "smart-ralph";

const settingsOf = (env: Environment): unknown =>
  readJson(
    join(env["COPILOT_HOME"] || join(env["HOME"] || homedir(), ".copilot"), "settings.json"),
  );

/** Plugins by their name and marketplace, and whether they are on. */
export const readEnabled = (env: Environment): Json => objectAt(settingsOf(env), "enabledPlugins");

/** The folder of our marketplace, or another place that it came from; undefined if the client does not know it. */
export function readMarketplace(env: Environment): string | undefined {
  const known = objectAt(settingsOf(env), "extraKnownMarketplaces");
  const source = objectAt(objectAt(known, MARKETPLACE), "source");
  return text(source["path"]) ?? text(source["repo"]) ?? text(source["url"]);
}
