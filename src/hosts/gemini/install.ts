import { join } from "node:path";
import { addSetting, settingByHand } from "../add-setting.ts";
import type { HostInstall, InstallStep, InstallWish } from "../setup.ts";
import { LOOP_DETECTION, PROJECT_SETTINGS, readExtension, readPart } from "./client-settings.ts";
import { EXTENSION } from "./names.ts";

/** Linked, not copied: the extension is always as new as the program that installed it. */
export const install: HostInstall = {
  name: "gemini",
  steps: (wish) => [
    ...(readExtension(EXTENSION, wish.root, wish.env) === undefined
      ? []
      : [run(["uninstall", EXTENSION], "it may have been somewhere else")]),
    run(["link", wish.package, "--consent"], "for all your projects"),
    ...settingsStep(wish),
  ],
  afterwards: [
    "restart gemini, and type /ralph-specum:help",
    "a run that nobody watches needs gemini --approval-mode auto_edit and commands that it may run (tools.allowed), or --yolo",
  ],
};

const run = (words: readonly string[], why: string): InstallStep => ({
  kind: "run",
  command: ["gemini", "extensions", ...words],
  why,
});

/** What the user has set stays, whatever it is; so does a file that we cannot read or add to. */
function settingsStep({ root, env }: InstallWish): InstallStep[] {
  if (LOOP_DETECTION in readPart(root, env, "model")) return [];
  const text = addSetting(join(root, PROJECT_SETTINGS), LOOP_DETECTION, true, "model");
  const why = `model.${LOOP_DETECTION}: gemini's own check takes a long run for a loop`;
  return [
    text === undefined
      ? settingByHand(PROJECT_SETTINGS, `model.${LOOP_DETECTION}: true`, why)
      : { kind: "file", path: PROJECT_SETTINGS, text, why },
  ];
}
