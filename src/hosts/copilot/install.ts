import type { HostInstall, InstallStep, InstallWish } from "../setup.ts";
import { MARKETPLACE, readMarketplace } from "./client-settings.ts";

/** Loaded from where it is, not copied: the plugin is always as new as the program that installed it. */
export const install: HostInstall = {
  name: "copilot",
  steps: (wish) => [
    ...marketplaceSteps(wish),
    run(["install", `${wish.plugin}@${MARKETPLACE}`], "for all your projects"),
  ],
  afterwards: [
    "restart copilot, and type /ralph-specum:help",
    "a run that nobody watches needs copilot --allow-all-tools --allow-all-paths",
  ],
};

function marketplaceSteps({ package: folder, env }: InstallWish): InstallStep[] {
  const known = readMarketplace(env);
  if (known === folder) return [];
  return [
    ...(known === undefined
      ? []
      : [run(["marketplace", "remove", "--force", MARKETPLACE], `it was ${known}`)]),
    run(["marketplace", "add", folder], "the plugins are there"),
  ];
}

const run = (words: readonly string[], why: string) =>
  ({ kind: "run", command: ["copilot", "plugin", ...words], why }) as const;
