/**
 * Each of these costs a sub-agent tokens in every call, and none helps with one task or document. What is not named stays: the
 * user's own tools too.
 */
export const NOT_FOR_AGENTS = [
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
