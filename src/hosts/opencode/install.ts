import { join } from "node:path";
import type { HostInstall } from "../setup.ts";

/** Below a plugin's folder: what the client is given. It is loaded in place, with our programs next to it. */
export const FOLDER = "opencode";

export const install: HostInstall = {
  name: "opencode",
  steps: ({ package: folder, plugin }) => [
    {
      kind: "run",
      command: ["opencode", "plugin", join(folder, "plugins", plugin, FOLDER), "--global"],
      why: "for all your projects; it is loaded from there, so updating that folder is enough",
    },
  ],
  afterwards: [],
  first: (plugin) =>
    `restart OpenCode, which loads plugins when it starts, and type /${plugin}:help`,
};
