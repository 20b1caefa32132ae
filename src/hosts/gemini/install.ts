import { join } from "node:path";
import { isObject } from "../../text/schema.ts";
import { objectAt, readJson } from "../claude/client-settings.ts";
import { json } from "../generated.ts";
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

/** What the user has set stays, whatever it is; so does a file that we cannot read. */
function settingsStep({ root, env }: InstallWish): InstallStep[] {
  const settings = readJson(join(root, PROJECT_SETTINGS));
  if (!isObject(settings) || LOOP_DETECTION in readPart(root, env, "model")) return [];
  const model = { ...objectAt(settings, "model"), [LOOP_DETECTION]: true };
  return [
    {
      kind: "file",
      path: PROJECT_SETTINGS,
      text: json({ ...settings, model }),
      why: `model.${LOOP_DETECTION}: gemini's own check takes a long run for a loop`,
    },
  ];
}
