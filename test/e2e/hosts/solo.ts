import type { Ask } from "../ask.ts";
import type { Project } from "../project.ts";
import type { Roles, Team } from "../team.ts";
import type { Answer } from "../wire.ts";
import type { Adapter } from "./adapter.ts";

/** The orders for a task, in whatever way they come: with a command, at a stop, or as what `done` prints. */
const ORDERS = /^# Task (\S+) of \w+ /gm;
/** What `done` says, and what the orders say when they come again. */
const REFUSED = /(?:^|\W)(\S+) is not done: |It was tried before and not accepted/;
/** The user has the last word: after an interruption, orders may still be in front of it. */
const HALTED = /(?:Paused\. The agent may stop|The run is over)(?![\s\S]*^# Task )/m;
const ENDED = /^All tasks \(\d+\) of .* Tell the user/m;
const SIGNAL = /^(?:TASK_(?:COMPLETE|BLOCKED)|VERIFICATION_(?:PASS|FAIL))$/m;

/** A main agent that does the tasks itself: it sees its orders, works, and reports. */
export function solo(project: Project, roles: Roles, adapter: Adapter): Team {
  const started: string[] = [];
  let id: string | undefined;
  let attempt = 0;
  let turn = 0;
  let hasReported = false;

  /** Whether there is something new to do. */
  function take({ news }: Ask): boolean {
    const [, next] = [...news.matchAll(ORDERS)].at(-1) ?? [];
    const isBack = hasReported && (next ?? id) === id && REFUSED.test(news);
    if (next === undefined && !isBack) return false;
    hasReported = false;
    if (isBack) {
      turn++;
      return true;
    }
    id = next;
    turn = 1;
    started.push(`${id} spec-executor`);
    attempt = started.filter((one) => one === `${id} spec-executor`).length;
    return true;
  }

  /** As this client has it reported. */
  function report(answer: Answer): Answer {
    hasReported = typeof answer === "string" && SIGNAL.test(answer);
    if (adapter.reports === "message" || !hasReported) return answer;
    const line = `${adapter.program(project.layout)} done ${id} --report - <<'REPORT'\n${answer}\nREPORT`;
    return { call: [adapter.shell(line)] };
  }

  return {
    started,
    async script(ask) {
      const instead = roles.instead?.(ask);
      if (instead !== undefined) return instead;
      if (ENDED.test(ask.news)) {
        id = undefined;
        return "ALL_TASKS_COMPLETE";
      }
      if (HALTED.test(ask.news)) return "Noted.";
      const isNew = take(ask);
      if (!isNew && (ask.result === undefined || id === undefined || hasReported)) return "Noted.";
      const job = { id: id as string, attempt, turn, told: ask.news, worked: !isNew };
      return report(await roles.executor(job));
    },
  };
}
