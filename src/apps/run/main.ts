import type { Request } from "../../engine/request.ts";
import { resolveSpec } from "../../engine/resolve-spec.ts";
import type { Controls } from "../../runner/controls.ts";
import { knownAgents } from "../../runner/crew.ts";
import { fileControls } from "../../runner/file-controls.ts";
import { readEvents } from "../../runner/read-events.ts";
import type { RunFolder } from "../../runner/run-files.ts";
import { reduceAll } from "../../runner/view/reduce.ts";
import { isFolder } from "../../store/spec.ts";
import type { Command } from "../cli/command.ts";
import { listAgentsFor } from "./agents.ts";
import { replayRun } from "./replay.ts";
import { runRun } from "./run-command.ts";
import { interrupt, stopCommand } from "./stop.ts";
import { watchRun } from "./watch.ts";

/** What `smart-ralph` loads when one of these is typed: a bundle of its own, which nothing else waits for. */
export const runner: Readonly<
  Record<"run" | "stop" | "agents" | "watch" | "replay", Command["run"]>
> = {
  run: runRun,
  stop: stopCommand,
  agents: listAgentsFor(knownAgents),
  watch: (context, input) => watchRun((run) => controlsFrom(context, run))(context, input),
  replay: replayRun,
};

/** From another terminal: the files of the run's trees, and a signal to its process. */
function controlsFrom(request: Request, run: RunFolder): Controls {
  const { info } = run;
  const at = (tree: string): Request => ({ ...request, cwd: tree, starts: [tree] });
  // Specs of an epic have trees of their own, which are gone once their work is back.
  const specs = () =>
    reduceAll(readEvents(run))
      .specs.filter(({ tree }) => isFolder(tree))
      .map(({ name, tree }) => resolveSpec(at(tree), name));
  return fileControls(at(info.tree), specs, () => interrupt(info.pid));
}
