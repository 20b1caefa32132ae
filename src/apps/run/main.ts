import type { Request } from "../../engine/request.ts";
import { resolveSpec } from "../../engine/resolve-spec.ts";
import type { Controls } from "../../runner/controls.ts";
import { knownAgents } from "../../runner/crew.ts";
import { fileControls } from "../../runner/file-controls.ts";
import type { RunFolder } from "../../runner/run-files.ts";
import type { Command } from "../cli/command.ts";
import { listAgentsFor } from "./agents.ts";
import { replayRun } from "./replay.ts";
import { runRun } from "./run-command.ts";
import { watchRun } from "./watch.ts";

/** What `smart-ralph` loads when one of these is typed: a bundle of its own, which nothing else waits for. */
export const runner: Readonly<Record<"run" | "agents" | "watch" | "replay", Command["run"]>> = {
  run: runRun,
  agents: listAgentsFor(knownAgents),
  watch: (context, input) => watchRun((run) => controlsFrom(context, run))(context, input),
  replay: replayRun,
};

/** From another terminal: the files of the run's trees, and a signal to its process. */
function controlsFrom(request: Request, { info }: RunFolder): Controls {
  const there = { ...request, cwd: info.tree, starts: [info.tree] };
  const specs = () => info.specs.map((name) => resolveSpec(there, name));
  return fileControls(there, specs, () => void process.kill(info.pid, "SIGINT"));
}
