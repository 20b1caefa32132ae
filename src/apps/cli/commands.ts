import { hear } from "../hook/hear.ts";
import { settle } from "../hook/settle.ts";
import { subagentStop } from "../hook/subagent-stop.ts";
import type { Command } from "./command.ts";
import { amend } from "./commands/agent/amend.ts";
import { ask } from "./commands/agent/ask.ts";
import { add, split } from "./commands/agent/change.ts";
import { done } from "./commands/agent/done.ts";
import { evidence } from "./commands/agent/evidence.ts";
import { fail } from "./commands/agent/fail.ts";
import { next } from "./commands/agent/next.ts";
import { submit } from "./commands/agent/submit.ts";
import { completionOf } from "./commands/look/completion.ts";
import { config } from "./commands/look/config.ts";
import { demo } from "./commands/look/demo.ts";
import { doctor } from "./commands/look/doctor.ts";
import { feedback } from "./commands/look/feedback.ts";
import { inbox } from "./commands/look/inbox.ts";
import { index } from "./commands/look/index.ts";
import { list } from "./commands/look/list.ts";
import { logs } from "./commands/look/logs.ts";
import { tasksPrioritize } from "./commands/look/prioritize.ts";
import { prove } from "./commands/look/prove.ts";
import { status } from "./commands/look/status.ts";
import { summary } from "./commands/look/summary.ts";
import { tasksLint, tasksList, tasksShow } from "./commands/look/tasks.ts";
import { trace } from "./commands/look/trace.ts";
import { analyze, context } from "./commands/plan/context.ts";
import { check, template } from "./commands/plan/documents.ts";
import { epicNext, epicStatus } from "./commands/plan/epic-status.ts";
import { epicAdd, epicNew, epicRemove, epicSwitch } from "./commands/plan/epic.ts";
import { hooks } from "./commands/plan/hooks.ts";
import { importCommand } from "./commands/plan/import.ts";
import { phaseCommands } from "./commands/plan/phases.ts";
import { rename } from "./commands/plan/rename.ts";
import { resolve } from "./commands/plan/resolve.ts";
import { setIntentCommand } from "./commands/plan/set-intent.ts";
import { newSpec, start } from "./commands/plan/start.ts";
import { switchSpec } from "./commands/plan/switch.ts";
import { triage } from "./commands/plan/triage.ts";
import { accept } from "./commands/run/accept.ts";
import { answer, skip, unskip } from "./commands/run/answer.ts";
import { archive } from "./commands/run/archive.ts";
import { cancel } from "./commands/run/cancel.ts";
import { discard } from "./commands/run/discard.ts";
import { implement, resume } from "./commands/run/implement.ts";
import { init } from "./commands/run/init.ts";
import { approve, awaitApproval, pause } from "./commands/run/pause.ts";
import { repair } from "./commands/run/repair.ts";
import { run, runnerCommands, stop } from "./commands/run/run.ts";
import { take } from "./commands/run/take.ts";
import { undo } from "./commands/run/undo.ts";

/** Every command: `--help`, the reference and the dispatcher read this list. */
export const commands: readonly Command[] = [
  start,
  newSpec,
  importCommand,
  ...phaseCommands,
  triage,
  switchSpec,
  setIntentCommand,
  rename,
  run,
  stop,
  take,
  discard,
  implement,
  resume,
  pause,
  approve,
  accept,
  answer,
  skip,
  unskip,
  undo,
  cancel,
  archive,
  epicSwitch,
  next,
  done,
  fail,
  split,
  add,
  amend,
  awaitApproval,
  ask,
  repair,
  submit,
  resolve,
  template,
  context,
  hooks,
  epicNew,
  epicAdd,
  epicRemove,
  status,
  list,
  inbox,
  logs,
  ...runnerCommands,
  summary,
  evidence,
  trace,
  prove,
  tasksList,
  tasksShow,
  tasksLint,
  tasksPrioritize,
  check,
  analyze,
  epicStatus,
  epicNext,
  index,
  init,
  config,
  doctor,
  feedback,
  completionOf(() => commands),
  demo,
  hear,
  settle,
  subagentStop,
];
