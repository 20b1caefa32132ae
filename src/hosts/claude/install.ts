import type { HostInstall } from "../setup.ts";

export const install: HostInstall = {
  name: "claude",
  steps: ({ package: folder, plugin }) => [
    {
      kind: "run",
      command: ["claude", "plugin", "marketplace", "add", folder],
      why: "the plugins are there",
    },
    {
      kind: "run",
      command: ["claude", "plugin", "install", `${plugin}@smart-ralph`],
      why: "for all your projects",
    },
  ],
  afterwards: [],
  first: (plugin) => `restart claude, if it is running, and type /${plugin}:help`,
};
