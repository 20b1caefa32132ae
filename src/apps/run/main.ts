import type { Request } from "../../engine/request.ts";
import { resolveSpec } from "../../engine/resolve-spec.ts";
import type { Controls } from "../../runner/controls.ts";
import { fileControls } from "../../runner/file-controls.ts";
import { readEvents } from "../../runner/read-events.ts";
import type { RunFolder } from "../../runner/run-files.ts";
import { reduceAll } from "../../runner/view/reduce.ts";
import { isFolder } from "../../store/spec.ts";
import type { Command } from "../cli/command.ts";
import { agentsCommand } from "./agents.ts";
import { replayRun } from "./replay.ts";
import { runRun } from "./run-command.ts";
import { interrupt, stopCommand } from "./stop.ts";
import { watchRun } from "./watch.ts";

/** The commands in a separate bundle, which `smart-ralph` loads only when one of them is typed. */
export const runner = {
  run: runRun,
  stop: stopCommand,
  agents: agentsCommand,
  watch: (context, input) => watchRun((run) => controlsFrom(context, run))(context, input),
  replay: replayRun,
} satisfies Record<string, Command["run"]>;

/** Controls a run from another terminal: through files in its trees, and a signal to its process. */
function controlsFrom(request: Request, run: RunFolder): Controls {
  const { info } = run;
  const at = (tree: string): Request => ({ ...request, cwd: tree, starts: [tree] });
  // The specs of an epic have their own trees, which are removed once their work is merged.
  const specs = () =>
    reduceAll(readEvents(run))
      .specs.filter(({ tree }) => isFolder(tree))
      .map(({ name, tree }) => resolveSpec(at(tree), name));
  return fileControls(at(info.tree), specs, () => interrupt(info));
}
