import type { Edition, Phase } from "../layouts/layout.ts";
import { fill, type Values } from "../text/template.ts";
import { dialectOf } from "./dialect.ts";

/** What texts about a layout, not about one spec, are filled with. The words of its dialect may name others. */
export function layoutWords(layout: Edition): Values {
  const words = plainWords(layout);
  const own = Object.entries(dialectOf(layout.id));
  return {
    ...words,
    ...Object.fromEntries(own.map(([name, text]) => [name, fill(String(text), words)])),
  };
}

/** Without the dialect, which a stop has no use for. */
export const plainWords = (layout: Edition): Values => ({
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
