import type { AgentAdapter } from "../agents/adapter.ts";
import type { Ask } from "../ask.ts";
import type { Script } from "../model.ts";
import { IDLE } from "../team.ts";
import type { Answer } from "../wire.ts";

export const taskFile = (id: string): string => `part-${id.replace(".", "-")}.txt`;

export const idsOf = (count: number): string[] =>
  Array.from({ length: count }, (_, i) => `1.${i + 1}`);

/** Tasks that each write their own file. `tag` comes before the title, such as `[P] `. */
export const listOf = (ids: readonly string[], tag = ""): string =>
  [
    "# Tasks\n",
    ...ids.map(
      (id) =>
        `- [ ] ${id} ${tag}Write part ${id}\n  - **Do**: write \`${taskFile(id)}\`\n  - **Files**: \`${taskFile(id)}\`\n  - **Verify**: \`grep -q done ${taskFile(id)}\`\n  - **Commit**: \`feat: part ${id}\`\n`,
    ),
  ].join("\n");

/** What a scripted agent knows when it has to answer. */
export interface Task {
  readonly id: string;
  /** According to its orders. */
  readonly attempt: number;
  /** Whether it has used a tool, and is about to report. */
  readonly worked: boolean;
  readonly shell: (command: string) => Exclude<Answer, string>;
  /** The honest answer, before it has worked. */
  readonly work: Exclude<Answer, string>;
}

const REPORT = "Written.\nTASK_COMPLETE";

/** The shell tool of the agent that asks. */
function shellOf(agents: readonly AgentAdapter[], { tools }: Ask): AgentAdapter["shell"] {
  const fits = ({ shell }: AgentAdapter): boolean => tools.includes(shell("").name);
  const { shell } = (agents.find(fits) ?? agents[0]) as AgentAdapter;
  return shell;
}

/**
 * An honest worker, for any agent: does each task with one command, and reports it. `instead` may answer in its place,
 * with a lie or with the error of a service.
 */
export const worker =
  (
    agents: readonly AgentAdapter[],
    instead: (task: Task) => Answer | undefined = () => undefined,
  ): Script =>
  (ask) => {
    const all = ask.order + ask.text + ask.news;
    const id = /# Task (\S+) of /.exec(all)?.[1] ?? "";
    const attempt = Number(/Attempt (\d+)/.exec(all)?.[1] ?? 1);
    const tool = shellOf(agents, ask);
    const shell: Task["shell"] = (command) => ({ say: "I write it.", call: [tool(command)] });
    const work = shell(workLine(id));
    const worked = ask.result !== undefined;
    return instead({ id, attempt, worked, shell, work }) ?? (worked ? REPORT : work);
  };

/** A report of work that was never done. */
export const LIE = IDLE;

export function workLine(id: string): string {
  const file = taskFile(id);
  return `echo done > ${file} && git add -- ${file} && git commit -qm "feat: part ${id}" -- ${file}`;
}
