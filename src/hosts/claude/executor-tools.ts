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
