import type { Edition } from "../../layouts/layout.ts";

/** Exactly the commands that an agent may run without asking: in a phase, and in a run. */
export const PHASE_VERBS = [
  "submit",
  "set intent",
  "template",
  "check",
  "tasks list",
  "tasks show",
  "tasks lint",
  "tasks prioritize",
  "context",
  "trace",
  "status",
];
export const RUN_VERBS = [
  "next",
  "done",
  "fail",
  "split",
  "add",
  "amend",
  "await-approval",
  "repair",
  "pause",
  "status",
  "tasks show",
  "evidence",
];
/**
 * Each of these costs an executor tokens in every call, and none helps with one task. What is not named stays: the
 * user's own tools too.
 */
export const NOT_FOR_EXECUTORS = [
  "Agent",
  "Task",
  "Workflow",
  "Skill",
  "ListAgents",
  "ReportFindings",
  "ScheduleWakeup",
  "SendMessage",
  "CronCreate",
  "CronDelete",
  "CronList",
  "EnterWorktree",
  "ExitWorktree",
  "EnterPlanMode",
  "ExitPlanMode",
  "AskUserQuestion",
];

export const toolsFor = ({ plugin }: Edition, verbs: readonly string[]): string =>
  verbs.map((verb) => `Bash(${plugin} ${verb}:*)`).join(", ");
