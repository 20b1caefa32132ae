import type { Agent, AgentEvent, Ending, Outcome, StopReason, Usage } from "../agents/port.ts";
import { readTicks, sweepFolder } from "../agents/process/sweep-folder.ts";
import { type AgentChoice, formatChoice } from "../run/agent-choice.ts";
import { oneLine } from "../text/template.ts";
import type { Reached } from "./budget.ts";
import type { PricedUsage } from "./events.ts";
import type { Ended, WorkOrder } from "./executor.ts";
import { spentIn } from "./spent.ts";
import type { About, Stage, WorkPlace } from "./stage.ts";

/** What one attempt has to do, and where. */
export interface Attempt {
  readonly order: WorkOrder;
  readonly emit: Stage["emit"];
  /** Aborts if the run ends, or the user skips this task. */
  readonly signal: AbortSignal;
  /** Asked before each start. */
  readonly prompt: () => string;
  readonly place: WorkPlace;
  /** Gets the files that it edits with its own tools. */
  readonly noteEdits?: (files: readonly string[]) => void;
  /** Undoes the attempt's work, before another agent starts it over. */
  readonly rewind: () => Promise<void>;
}

/** Runs one agent process. Stops it as soon as a budget is used up. */
export async function startAgent(
  stage: Stage,
  { order, emit, signal, place, prompt, noteEdits }: Attempt,
  choice: AgentChoice,
): Promise<Ended & { readonly outcome: Outcome; readonly over: Reached | undefined }> {
  const { model } = choice;
  const agent = stage.agents.find(({ id }) => id === choice.agent) as Agent;
  const about = { spec: order.spec, task: order.task, attempt: order.attempt };
  const beganAt = Date.now();
  emit({
    kind: "attempt-started",
    ...about,
    of: order.of,
    role: order.role,
    title: oneLine(order.title, 200),
    agent: agent.id,
    ...(model === undefined ? {} : { model }),
  });
  const stop = new AbortController();
  const abort = (): void => stop.abort("user" satisfies StopReason);
  signal.addEventListener("abort", abort, { once: true });
  let over: Reached | undefined;
  let usesTool = false;
  let lastWord: NodeJS.Timeout | undefined;
  const halt = (): void => stop.abort("budget" satisfies StopReason);
  const reach = (bound: Reached | undefined): void => {
    if (bound === undefined || over !== undefined) return;
    over = bound;
    if (usesTool || bound.bound === "ms") halt();
    else lastWord = setTimeout(halt, LAST_WORD_MS);
  };
  const began = { ...about, agent: agent.id };
  const { budget } = stage;
  budget.begin(began);
  const clock = watchClock(stage, about, reach);
  const count = (usage: Usage): PricedUsage => {
    const { used, over: bound } = budget.use(began, usage);
    reach(bound);
    return used;
  };
  const hear = (event: AgentEvent): void => {
    if (event.kind === "edited") return noteEdits?.(event.files);
    if (event.kind === "text" || event.kind === "tool") usesTool = event.kind === "tool";
    if (usesTool && over !== undefined) halt();
    tell(emit, about, agent, event, count);
  };
  const since = place.isOwn === true ? readTicks() : undefined;
  const { collect, ...around } = stage.surround(agent, place);
  const outcome = await agent.run(
    {
      cwd: place.cwd,
      writable: place.writable,
      ...around,
      prompt: prompt(),
      instructions: order.instructions,
      ...(model === undefined ? {} : { model }),
      limits: order.limits,
      record: (line) => stage.record(about, agent.id, line),
    },
    hear,
    stop.signal,
  );
  const swept = sweepFolder(place.cwd, since);
  clearTimeout(clock());
  signal.removeEventListener("abort", abort);
  const { usage, ending } = outcome;
  const spent = count(usage);
  clearTimeout(lastWord);
  budget.end(began);
  const ms = Date.now() - beganAt;
  // It may have filled the disk: what it did can only be kept and judged with room for our own files.
  await stage.room([stage.signal], "files");
  if (swept > 0) emit({ kind: "swept", count: swept });
  const said = collect?.();
  if (said !== undefined) emit({ kind: "note", text: said });
  emit({ kind: "attempt-ended", ...about, ending: shortEnding(ending), ms, spent });
  const used = { usage, spent: { ...spentIn(spent), ms } };
  return { agent: agent.id, choice: formatChoice(choice), ...used, outcome, over };
}

/** Checks the time budget while the agent is silent. Returns a function that gives the current timer. */
function watchClock(
  { budget }: Stage,
  about: About,
  reach: (bound: Reached | undefined) => void,
): () => NodeJS.Timeout | undefined {
  let timer: NodeJS.Timeout | undefined;
  const look = (): void => {
    const bound = budget.check(about);
    reach(bound);
    const left = bound === undefined ? budget.timeLeft(about) : undefined;
    if (left !== undefined) timer = setTimeout(look, Math.min(Math.max(left, 10), LOOK_MS));
  };
  look();
  return () => timer;
}

/** An agent's last message brings its usage with it; that the turn is over, it says a moment later. */
const LAST_WORD_MS = 2000;

/** The clock may be set while we wait. */
const LOOK_MS = 60_000;

const shortEnding = (ending: Ending): Ending =>
  "text" in ending ? { ...ending, text: oneLine(ending.text, 300) } : ending;

function tell(
  emit: Stage["emit"],
  about: About,
  { name }: Agent,
  event: AgentEvent,
  count: (usage: Usage) => PricedUsage,
): void {
  switch (event.kind) {
    case "tool":
      return emit({ kind: "action", ...about, text: oneLine(event.title, 200) });
    case "text":
      return emit({ kind: "action", ...about, text: oneLine(event.text, 200) });
    case "usage":
      return emit({ kind: "usage", ...about, spent: count(event.usage) });
    case "retry": {
      const of = event.of === undefined ? "" : ` of ${event.of}`;
      const status = event.status === undefined ? "" : ` (${event.status})`;
      const text = `${name}'s service does not answer${status}: try ${event.attempt}${of}`;
      return emit({ kind: "retry", ...about, text });
    }
    case "quota": {
      const until = event.resetsAt === undefined ? "" : `, which is reset at ${event.resetsAt}`;
      return emit({ kind: "note", text: `${name} is near its usage limit${until}` });
    }
    default:
      return undefined;
  }
}
