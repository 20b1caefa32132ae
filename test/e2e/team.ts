import type { Ask } from "./ask.ts";
import type { ClientEvent } from "./client.ts";
import { hookAnswers } from "./hooks.ts";
import type { Script } from "./model.ts";
import type { Project } from "./project.ts";
import { type Answer, bash } from "./wire.ts";

/** What an executor sees when it is its turn to answer. */
export interface Job {
  readonly id: string;
  /** Which attempt at the task this agent is, from 1. */
  readonly attempt: number;
  /** How often this agent has begun to speak: past 1 it was sent back. */
  readonly turn: number;
  /** What sent it back, or its orders. */
  readonly told: string;
  /** Whether it has just used a tool, and is about to report. */
  readonly worked: boolean;
}

export interface Roles {
  readonly executor: (job: Job) => Answer | Promise<Answer>;
  /** What the coordinator does in the place of what it is told. */
  readonly instead?: (ask: Ask) => Answer | undefined;
}

export interface Team {
  readonly script: Script;
  /** The tasks in the order in which agents were started on them, each with its agent: `1.1 spec-executor`. */
  readonly started: readonly string[];
}

/** A coordinator that starts the agents that the loop asks for, all in one message, and the agents. */
export function team(project: Project, roles: Roles): Team {
  const started: string[] = [];
  const turns = new Map<string, number>();
  const attempts = new Map<string, number>();

  function perform(id: string, ask: Ask): Answer | Promise<Answer> {
    // Older clients do not tell agents apart; their orders do.
    const agent = ask.agentId ?? ask.order;
    if (!attempts.has(agent))
      attempts.set(agent, started.filter((one) => one.startsWith(`${id} `)).length);
    if (ask.result === undefined) turns.set(agent, (turns.get(agent) ?? 0) + 1);
    return roles.executor({
      id,
      attempt: attempts.get(agent) as number,
      turn: turns.get(agent) as number,
      told: ask.news,
      worked: ask.result !== undefined,
    });
  }

  function coordinate(ask: Ask): Answer {
    const instead = roles.instead?.(ask);
    if (instead !== undefined) return instead;
    for (const [, id, , agent] of dueIn(ask)) started.push(`${id} ${agent}`);
    return lead(ask);
  }

  return {
    started,
    script: (ask) => {
      const id = /^# Task (\S+) of /m.exec(ask.order)?.[1];
      return id === undefined ? coordinate(ask) : perform(id, ask);
    },
  };
}

const dueIn = ({ news }: Ask): RegExpExecArray[] =>
  isOver(news) ? [] : [...news.matchAll(/^Task (\S+) → ([\w-]+:([\w-]+)): /gm)];

const isOver = (news: string): boolean => /^All tasks \(\d+\) of .* Tell the user/m.test(news);

/** What a coordinator answers that does as it is told. */
export function lead(ask: Ask): Answer {
  if (isOver(ask.news)) return "ALL_TASKS_COMPLETE";
  const due = dueIn(ask);
  if (due.length === 0)
    return /<summary>Agent "Task \S+" finished<\/summary>/.test(ask.news) ? "Noted." : "Waiting.";
  return {
    call: due.map(([, id, type]) => ({
      name: "Agent",
      input: { description: `Task ${id}`, prompt: id, subagent_type: type },
    })),
  };
}

/** A claim by somebody who changed nothing. Without the reason, it is refused before its Verify is run. */
export const IDLE = "NO_CHANGE: it was there before\nTASK_COMPLETE";

export const outputOf = (id: string): string => `out-${id}.txt`;

const GIT = "git -c user.name=e2e -c user.email=e2e@localhost";

/** Writes what the task asks for and commits that file alone: others may be working beside it, with the same index. */
export const work = (id: string): Answer => ({ call: [bash(workLine(id))] });

export const workLine = (id: string): string =>
  `echo ${id} > ${outputOf(id)}; ${insist(commitLine(id))}`;

/** The same where nobody works beside it. */
export const loneLine = (id: string): string => `echo ${id} > ${outputOf(id)} && ${commitLine(id)}`;

function commitLine(id: string): string {
  const file = outputOf(id);
  return `git add -- ${file} && ${GIT} commit -qm 'part ${id}' -- ${file}`;
}

/** Somebody else's commit may hold the index for a moment. */
export const insist = (command: string): string =>
  `for i in 1 2 3 4 5; do ${command} && break; sleep 0.3; done`;

/** Tasks that a command can check; `tags` by index. */
export const checkedTasks =
  (tags: readonly string[] = []) =>
  (ids: readonly string[]): string =>
    [
      "# Tasks",
      "",
      "## Phase 1: Make it",
      "",
      ...ids.flatMap((id, index) => [
        `- [ ] ${[id, tags[index], `Write part ${id}`].filter(Boolean).join(" ")}`,
        `  - **Do**: write part ${id}`,
        `  - **Files**: ${outputOf(id)}`,
        `  - **Verify**: \`test -f ${outputOf(id)}\``,
        "",
      ]),
    ].join("\n");

/** A task as its author wrote it: what it changes, and its whole Verify. */
export interface Written {
  readonly files: string;
  readonly verify: string;
  readonly tag?: string;
}

/** A list of such tasks. */
export const writtenTasks =
  (tasks: readonly Written[]) =>
  (ids: readonly string[]): string =>
    [
      "# Tasks",
      "",
      "## Phase 1: Make it",
      "",
      ...tasks.flatMap(({ files, verify, tag }, index) => [
        `- [ ] ${[ids[index], tag, `Change ${files}`].filter(Boolean).join(" ")}`,
        `  - **Files**: ${files}`,
        `  - **Verify**: ${verify}`,
        "",
      ]),
    ].join("\n");

/** The line that an executor was told to commit with, word for word. */
export function toldToRun(told: string): string {
  const line = /[Rr]un `(git add -- [^`]+)`/.exec(told)?.[1];
  if (line === undefined) throw new Error(`no commit line in:\n${told}`);
  return line;
}

/** How often each thing happened to each task, by the loop's own record. */
export function countsOf(project: Project, event: string): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const entry of project.journal()) {
    const id = String(entry["task"]);
    if (entry["event"] === event) counts[id] = (counts[id] ?? 0) + 1;
  }
  return counts;
}

export const once = (ids: readonly string[]): Record<string, number> =>
  Object.fromEntries(ids.map((id) => [id, 1]));

/** Why executors were sent back. */
export const sentBackIn = (events: readonly ClientEvent[]): string[] =>
  hookAnswers(events, "SubagentStop").flatMap(({ reason }) => reason ?? []);

/** What proves a task, by the loop's own record. */
export const evidenceIn = (project: Project, id: string): unknown =>
  project.journal().findLast(({ event, task }) => event === "done" && task === id)?.["evidence"];
