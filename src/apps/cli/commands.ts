import { layouts } from "../../layouts/all.ts";
import { phaseNamesOf } from "../../layouts/phases.ts";
import type { Command, Group, NamedCommand } from "./command.ts";

type Load = () => Promise<Command>;

/**
 * Every command by its name, under who calls it, in the order of `--help`. Each is loaded only when it is typed: loading all of them takes longer than
 * most of them run.
 */
const LOAD: Readonly<Record<Group, Readonly<Record<string, Load>>>> = {
  plan: {
    start: async () => (await import("./commands/plan/start.ts")).start,
    new: async () => (await import("./commands/plan/start.ts")).newSpec,
    import: async () => (await import("./commands/plan/import.ts")).importCommand,
    ...Object.fromEntries(
      phaseNamesOf(layouts).map((name): [string, Load] => [
        name,
        async () => (await import("./commands/plan/phases.ts")).phaseCommand(name),
      ]),
    ),
    triage: async () => (await import("./commands/plan/triage.ts")).triage,
    switch: async () => (await import("./commands/plan/switch.ts")).switchSpec,
    "set intent": async () => (await import("./commands/plan/set-intent.ts")).setIntentCommand,
    rename: async () => (await import("./commands/plan/rename.ts")).rename,
  },
  run: {
    run: async () => (await import("./commands/run/run.ts")).run,
    stop: async () => (await import("./commands/run/run.ts")).stop,
    take: async () => (await import("./commands/run/take.ts")).take,
    discard: async () => (await import("./commands/run/discard.ts")).discard,
    implement: async () => (await import("./commands/run/implement.ts")).implement,
    resume: async () => (await import("./commands/run/implement.ts")).resume,
    pause: async () => (await import("./commands/run/pause.ts")).pause,
    approve: async () => (await import("./commands/run/pause.ts")).approve,
    accept: async () => (await import("./commands/run/accept.ts")).accept,
    answer: async () => (await import("./commands/run/answer.ts")).answer,
    skip: async () => (await import("./commands/run/answer.ts")).skip,
    unskip: async () => (await import("./commands/run/answer.ts")).unskip,
    undo: async () => (await import("./commands/run/undo.ts")).undo,
    cancel: async () => (await import("./commands/run/cancel.ts")).cancel,
    archive: async () => (await import("./commands/run/archive.ts")).archive,
    "epic switch": async () => (await import("./commands/plan/epic.ts")).epicSwitch,
    init: async () => (await import("./commands/run/init.ts")).init,
  },
  agent: {
    next: async () => (await import("./commands/agent/next.ts")).next,
    done: async () => (await import("./commands/agent/done.ts")).done,
    fail: async () => (await import("./commands/agent/fail.ts")).fail,
    split: async () => (await import("./commands/agent/change.ts")).split,
    add: async () => (await import("./commands/agent/change.ts")).add,
    amend: async () => (await import("./commands/agent/amend.ts")).amend,
    "await-approval": async () => (await import("./commands/run/pause.ts")).awaitApproval,
    ask: async () => (await import("./commands/agent/ask.ts")).ask,
    repair: async () => (await import("./commands/run/repair.ts")).repair,
    submit: async () => (await import("./commands/agent/submit.ts")).submit,
    resolve: async () => (await import("./commands/plan/resolve.ts")).resolve,
    template: async () => (await import("./commands/plan/documents.ts")).template,
    context: async () => (await import("./commands/plan/context.ts")).context,
    hooks: async () => (await import("./commands/plan/hooks.ts")).hooks,
    "epic new": async () => (await import("./commands/plan/epic.ts")).epicNew,
    "epic add": async () => (await import("./commands/plan/epic.ts")).epicAdd,
    "epic remove": async () => (await import("./commands/plan/epic.ts")).epicRemove,
  },
  look: {
    status: async () => (await import("./commands/look/status.ts")).status,
    list: async () => (await import("./commands/look/list.ts")).list,
    inbox: async () => (await import("./commands/look/inbox.ts")).inbox,
    logs: async () => (await import("./commands/look/logs.ts")).logs,
    watch: async () => (await import("./commands/run/run.ts")).watch,
    replay: async () => (await import("./commands/run/run.ts")).replay,
    agents: async () => (await import("./commands/run/run.ts")).agents,
    summary: async () => (await import("./commands/look/summary.ts")).summary,
    evidence: async () => (await import("./commands/agent/evidence.ts")).evidence,
    trace: async () => (await import("./commands/look/trace.ts")).trace,
    prove: async () => (await import("./commands/look/prove.ts")).prove,
    "tasks list": async () => (await import("./commands/look/tasks.ts")).tasksList,
    "tasks show": async () => (await import("./commands/look/tasks.ts")).tasksShow,
    "tasks lint": async () => (await import("./commands/look/tasks.ts")).tasksLint,
    "tasks prioritize": async () => (await import("./commands/look/prioritize.ts")).tasksPrioritize,
    check: async () => (await import("./commands/plan/documents.ts")).check,
    analyze: async () => (await import("./commands/plan/context.ts")).analyze,
    "epic status": async () => (await import("./commands/plan/epic-status.ts")).epicStatus,
    "epic next": async () => (await import("./commands/plan/epic-status.ts")).epicNext,
    index: async () => (await import("./commands/look/index.ts")).index,
    config: async () => (await import("./commands/look/config.ts")).config,
    doctor: async () => (await import("./commands/look/doctor.ts")).doctor,
    feedback: async () => (await import("./commands/look/feedback.ts")).feedback,
    completion: async () =>
      (await import("./commands/look/completion.ts")).completionOf(loadCommands),
    demo: async () => (await import("./commands/look/demo.ts")).demo,
  },
  hook: {
    hear: async () => (await import("../hook/hear.ts")).hear,
    settle: async () => (await import("../hook/settle.ts")).settle,
    "subagent-stop": async () => (await import("../hook/subagent-stop.ts")).subagentStop,
  },
};

const ALL = new Map(
  Object.entries(LOAD).flatMap(([group, commands]) =>
    Object.entries(commands).map(([name, load]) => [
      name,
      async (): Promise<NamedCommand> => ({ name, group: group as Group, ...(await load()) }),
    ]),
  ),
);

export const commandNames: readonly string[] = [...ALL.keys()];

export const loadCommand = async (name: string): Promise<NamedCommand | undefined> =>
  ALL.get(name)?.();

/** What `--help`, the reference and completion read. */
export const loadCommands = (): Promise<readonly NamedCommand[]> =>
  Promise.all([...ALL.values()].map((load) => load()));
