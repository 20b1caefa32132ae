import type { Edition } from "../layouts/layout.ts";
import type { SpecRef } from "../run/hand-out.ts";
import { ALL_TASKS_COMPLETE } from "../run/signal.ts";
import { quoteName, quotePath } from "../text/quote.ts";
import type { Values } from "../text/template.ts";

/** What every prompt may be filled with. */
export function wordsOf(layout: Edition, spec: SpecRef): Values {
  const basePath = quotePath(spec.basePath);
  return {
    plugin: layout.plugin,
    program: layout.voice.program,
    unit: layout.unit,
    name: quoteName(spec.name),
    basePath,
    // Agents begin wherever the coordinator is.
    folder: spec.folder === undefined ? basePath : quotePath(spec.folder),
    stateFile: layout.stateFile,
    tasksPath: `${basePath}/tasks.md`,
    implement: layout.voice.command("implement"),
    cancel: layout.voice.command("cancel"),
    approve: layout.voice.command("approve"),
    inbox: layout.voice.command("inbox"),
    answer: layout.voice.command("answer"),
    unskip: layout.voice.command("unskip"),
    agentTool: layout.voice.worker.kind === "agents" ? layout.voice.worker.tool : "",
    questionTool: layout.voice.questionTool,
    ALL_TASKS_COMPLETE,
  };
}
