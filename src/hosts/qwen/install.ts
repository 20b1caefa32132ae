import { join } from "node:path";
import { addSetting, settingByHand } from "../add-setting.ts";
import type { HostInstall, InstallStep, InstallWish } from "../setup.ts";
import {
  CAP,
  EXTENSION,
  PROJECT_SETTINGS,
  readExtension,
  readSettings,
} from "./client-settings.ts";

/** Linked, not copied: the extension is always as new as the program that installed it. */
export const install: HostInstall = {
  name: "qwen",
  steps: (wish) => [...linkSteps(wish), ...settingsStep(wish)],
  afterwards: [
    "restart qwen, and type /ralph-specum:help",
    "a run that nobody watches needs qwen --approval-mode yolo, or auto-edit and the commands that it may run (permissions.allow)",
  ],
};

function linkSteps({ package: folder, env }: InstallWish): InstallStep[] {
  const known = readExtension(env)?.folder;
  if (known === folder) return [];
  return [
    ...(known === undefined ? [] : [run(["uninstall", EXTENSION], `it was in ${known}`)]),
    { ...run(["link", folder], "for all your projects"), input: "y\n" },
  ];
}

const run = (words: readonly string[], why: string) =>
  ({ kind: "run", command: ["qwen", "extensions", ...words], why }) as const;

/** What the user has set stays, whatever it is; so does a file that we cannot read or add to. */
function settingsStep({ root, env }: InstallWish): InstallStep[] {
  if (CAP.setting in readSettings(root, env)) return [];
  const text = addSetting(join(root, PROJECT_SETTINGS), CAP.setting, CAP.most);
  const why = `${CAP.setting} ${CAP.most}: qwen otherwise ends a prompt at the ${CAP.usual}th time that a hook continues it; a run has bounds of its own`;
  return [
    text === undefined
      ? settingByHand(PROJECT_SETTINGS, `${CAP.setting}: ${CAP.most}`, why)
      : { kind: "file", path: PROJECT_SETTINGS, text, why },
  ];
}
