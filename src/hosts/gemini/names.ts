import { layouts } from "../../layouts/all.ts";

/** What the client calls our extension. */
export const EXTENSION = "smart-ralph";

/** Its hooks are named after the plugin and the event. */
export const hookName = (plugin: string, event: string): string => `${plugin} ${event}`;

export const isHook = (name: unknown): name is string =>
  typeof name === "string" && layouts.some(({ plugin }) => name.startsWith(hookName(plugin, "")));
