import type { Ask } from "./ask.ts";
import type { Script } from "./model.ts";
import type { Project } from "./project.ts";
import { IDLE, loneLine } from "./team.ts";
import { type Answer, bash } from "./wire.ts";

/** How a scripted agent checks a task off: with our program, or by editing the file as agents do. */
export type Tick = (project: Project, id: string) => string;

/** In the very form that the prompts ask for, so that permission checks meet it too. */
export const byProgram: Tick = ({ layout }, id) =>
  `${layout.plugin} done ${id} --report - <<'REPORT'\nLooked at part ${id}.\n${IDLE}\nREPORT`;

export const byHand: Tick = (project, id) => `${loneLine(id)} && ${tickLine(project, id)}`;

/** The tick alone, without any work. */
export const tickLine: Tick = (project, id) => {
  const file = project.path(project.tasksFile);
  // In-place editing with a suffix is the form that GNU and BSD sed share.
  return `sed -i.bak 's/^- \\[ \\] ${id} /- [x] ${id} /' '${file}' && rm '${file}.bak'`;
};

type Instead = Answer | undefined;

/** Whether the loop, and not some chat of the user's, opened this turn. */
function isDriven({ layout }: Project, { text, news }: Ask): boolean {
  // After Escape, what the hook said before comes again with the user's next command.
  const [, typed] = /<command-name>\/[\w-]+:(\w+)</.exec(text) ?? [];
  return typed === undefined ? news.includes(layout.opening) : /^(implement|resume)$/.test(typed);
}

/**
 * An honest agent: each turn of the loop does the first open task with one tool call and reports it, so a
 * spec of n tasks costs 2n calls. `before` runs first, and may answer in its place.
 */
export function worker(
  project: Project,
  tick: Tick = byProgram,
  before: (ask: Ask, id: string | undefined) => Instead | Promise<Instead> = () => undefined,
): Script {
  return async (ask) => {
    if (ask.result !== undefined) return "TASK_COMPLETE";
    if (!isDriven(project, ask)) return "Noted.";
    const id = project.open()[0];
    const instead = await before(ask, id);
    if (instead !== undefined) return instead;
    return id === undefined ? "ALL_TASKS_COMPLETE" : { call: [bash(tick(project, id))] };
  };
}

/** An agent that calls a tool in every turn and ends it with words. */
export const busy =
  (command: string): Script =>
  (ask) =>
    ask.result === undefined ? { call: [bash(command)] } : "Still looking into it.";
