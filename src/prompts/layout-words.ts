import type { Edition, Phase } from "../layouts/layout.ts";
import type { Values } from "../text/template.ts";

/** What texts about a layout, not about one spec, are filled with. */
export const layoutWords = (layout: Edition): Values => ({
  layout: layout.id,
  plugin: layout.plugin,
  program: layout.voice.program,
  unit: layout.unit,
  pointer:
    layout.pointerIn === "specs-dir"
      ? `${layout.specsDirs[0]}/${layout.pointer}`
      : `${layout.pointerIn}/${layout.pointer}`,
  specsDir: layout.specsDirs[0],
  specsDirs: layout.specsDirs.join(" "),
  stateFile: layout.stateFile,
  journalFile: layout.journalFile,
  settingsFile: layout.settingsFile,
  requirements: layout.requirements,
  shortPlan: layout.shortPhases[0]?.document ?? "",
  design: designOf(layout).document,
  designPhase: designOf(layout).name,
  slashSpecify: layout.voice.command(layout.phases[0]?.name ?? ""),
  slashPlan: layout.voice.command(designOf(layout).name),
  slashTasks: layout.voice.command("tasks"),
  slashImplement: layout.voice.command("implement"),
});

/** What the tasks are based on: the phase before theirs. */
const designOf = (layout: Edition): Phase => layout.phases.at(-2) as Phase;
