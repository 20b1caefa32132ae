import { localTime } from "../../../engine/local-time.ts";
import { MARKS, WAITS } from "../../../facts/marks.ts";
import { numberOptions } from "../../../run/answers.ts";
import { formatSpent, NOTHING } from "../../../run/cost.ts";
import { plainReason } from "../../../run/event-lines.ts";
import { tellUnskip } from "../../../run/inbox.ts";
import type { Budget, RunEvent } from "../../../runner/events.ts";
import { RUN_ENDS } from "../../../runner/run-status.ts";
import { spentIn } from "../../../runner/spent.ts";
import { describeEnding } from "../../../runner/view/endings.ts";
import { oneLine } from "../../../text/template.ts";
import { counted } from "../../../text/wording.ts";
import type { Paint } from "../../cli/paint.ts";

const MAX = 500;

/** The line of an event for pipes and logs; undefined for events that only a screen shows. */
export function lineFor(
  event: RunEvent,
  style: Paint,
  now: string,
  showsSpec = false,
): string | undefined {
  const text = describe(showsSpec ? withSpec(event) : event, style);
  return text === undefined ? undefined : `${style.dim(localTime(event.at, now))}  ${text}`;
}

/** Two specs may have tasks with the same ids. */
function withSpec(event: RunEvent): RunEvent {
  if (!("task" in event)) return event;
  const { spec, task } = event;
  const named = { ...event, task: `${spec} ${task}` };
  return named.kind === "refused" ? { ...named, reason: plainReason(task, named.reason) } : named;
}

const short = (text: string): string => oneLine(text, MAX);

function describe(event: RunEvent, style: Paint): string | undefined {
  const { good, bad, warn, dim, bold, accent } = style;
  switch (event.kind) {
    case "run-started":
      return `${bold("run")} ${short(event.run)} with ${short(event.agents.join(", "))}${event.parallel > 1 ? `, ${event.parallel} at the same time` : ""}${budgetOf(event.budget)}${event.processes === undefined ? "" : `; processes: ${short(event.processes)}`}`;
    case "attempt-started": {
      const { task, title, agent, model, attempt, of, role } = event;
      const what = role === "execution" ? "" : ` ${role},`;
      // A document is its own title.
      const named = ` ${task}`.endsWith(` ${title}`) ? "" : ` ${short(title)}`;
      const who = `${short(agent)}${model === undefined ? "" : ` (${short(model)})`}`;
      return `${accent("▶")} ${bold(short(task))}${named}: ${who},${what} attempt ${attempt} of ${of}`;
    }
    case "retry":
      return `${dim("·")} ${short(event.task)} the agent tries again: ${short(event.text)}`;
    case "attempt-ended": {
      const { task, ending, ms, spent } = event;
      const how = ending.kind === "turn" ? dim("· ") : bad("✗ ");
      const what = describeEnding(ending) || "the agent has ended";
      return `${how}${short(task)} ${short(what)} (${formatSpent({ ...spentIn(spent), ms })})`;
    }
    case "verifying":
      return `${accent("◆")} ${short(event.task)} Verify: ${short(event.command)}`;
    case "done": {
      const { task, before, after, commit, weakness } = event;
      const proof =
        after === "passed"
          ? `Verify ${before === "failed" ? "failed before, passes now" : "passes"}`
          : "nothing to run";
      const is = event.class ?? "done";
      const mark = is === "proven" || is === "done" ? good("✓") : warn(MARKS[is]);
      return `${mark} ${short(task)} ${is}: ${short(weakness ?? proof)}${commit === null ? "" : `, ${short(commit).slice(0, 9)}`}`;
    }
    case "refused":
      return `${bad("✗")} ${short(event.task)} ${event.claimed === false ? "not done" : "refused"}: ${short(plainReason(event.task, event.reason))}`;
    case "merged":
      return `${good("✓")} ${short(event.task)} merged, ${short(event.commit).slice(0, 9)}`;
    case "conflict":
      return `${warn("✗")} ${short(event.task)} conflict in ${short(event.files.join(", "))}`;
    case "question": {
      const { id, task, text, options } = event;
      return `${warn(WAITS)} ${short(task)} question ${id}: "${short(text)}"${options.length === 0 ? "" : ` [${short(numberOptions({ options }))}]`}`;
    }
    case "answered":
      // Nobody answered: its task was skipped, or the run has given up.
      return event.answer === ""
        ? `${dim("·")} question ${event.id} is closed`
        : `${good("✓")} question ${event.id} is answered: ${short(event.answer)}`;
    case "skipped":
      return `${warn("⤼")} ${short(event.task)} is skipped; ${tellUnskip(short(event.task))}`;
    case "approval":
      return `${warn(WAITS)} waits for your approval: ${short(event.text)}; ${short(event.todo)}`;
    case "approved":
      return `${good("✓")} approved`;
    case "limit":
      return `${warn("◷")} ${short(event.agent)} has reached its usage limit${event.until === null ? "" : `, until ${localTime(event.until, event.at)}`}: ${short(event.text)}`;
    case "agent-changed":
      return `${warn("→")} ${short(event.to)} takes over from ${short(event.from)}${event.why === "" ? "" : `: ${short(event.why)}`}`;
    case "waiting":
      return `${warn("◷")} waits until ${localTime(event.until, event.at)}: ${short(event.why)}`;
    case "budget":
      return `${bad("$")} ${short(event.text)}`;
    case "paused":
      return `${warn("‖")} paused`;
    case "resumed":
      return `${good("▶")} resumed`;
    case "swept":
      return event.count === 0
        ? undefined
        : `${dim("·")} ended ${event.count === 1 ? "1 process" : `${event.count} processes`} that an agent left behind`;
    case "note":
      return `${dim("·")} ${short(event.text)}`;
    case "run-ended": {
      const { status, done, total, text } = event;
      const end = RUN_ENDS[status];
      // A run that was refused before it read its list has none.
      const count = total === 0 ? [] : [`${done} of ${counted(total, "task")} done`];
      const why = ["", status].includes(text) ? [] : [short(text)];
      return [style[end.tint](end.words), [...count, ...why].join("; ")].filter(Boolean).join(": ");
    }
    case "plan":
    case "action":
    case "usage":
      return undefined;
  }
}

function budgetOf(budget: Budget): string {
  const bounds = formatSpent({ ...NOTHING, ...budget });
  return bounds === "" ? "" : `, at most ${bounds}`;
}
