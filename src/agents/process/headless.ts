import type { Exit } from "../../exec/start.ts";
import { oneLine } from "../../text/template.ts";
import type { AgentEvent, Outcome, Work } from "../port.ts";
import type { Step } from "../reading.ts";
import { type Launch, supervise } from "./supervise.ts";

/** An agent that takes a prompt, prints lines and ends. All functions are pure. */
export interface HeadlessDriver<State> {
  readonly commandLine: (work: Work) => Omit<Launch, "onLine">;
  readonly begin: (work: Work) => State;
  readonly read: (state: State, line: string) => Pick<Step<State>, "state" | "events">;
  /** How it ended, unless we stopped it. */
  readonly conclude: (state: State, exit: Exit, now: Date) => Outcome;
  /** Whether it has reported its result. If it does not exit then, it is ended. */
  readonly isOver?: (state: State) => boolean;
}

/** Runs an agent to its end. Always settles, never rejects, and leaves no process behind. */
export async function runHeadless<State>(
  driver: HeadlessDriver<State>,
  work: Work,
  on: (event: AgentEvent) => void,
  stop: AbortSignal,
): Promise<Outcome> {
  let state = driver.begin(work);
  let fault: string | undefined;
  const onLine = (line: string): void => {
    try {
      work.record(line);
      const step = driver.read(state, line);
      state = step.state;
      for (const event of step.events) on(event);
    } catch (error) {
      // An uncaught error would end the runner, and the agent would continue alone.
      fault ??= error instanceof Error ? error.message : String(error);
    }
    if (fault !== undefined || driver.isOver?.(state) === true) agent.windDown();
  };
  const agent = supervise(work, { ...driver.commandLine(work), onLine }, stop);
  const { exit, by, swept } = await agent.end;
  if (swept > 0) on({ kind: "swept", count: swept });
  const outcome = driver.conclude(state, exit, new Date());
  const crashed = (text: string): Outcome => ({ ...outcome, ending: { kind: "crashed", text } });
  // It had reported its result when that reached the budget: the work is there, and checking it costs nothing.
  const isTurn = outcome.ending.kind === "turn" && driver.isOver?.(state) !== false;
  if (by !== undefined && !(by === "budget" && isTurn))
    return { ...outcome, ending: { kind: "stopped", by } };
  if (fault !== undefined) return crashed(`internal error: ${fault}`);
  return exit.error === undefined ? outcome : crashed(`it did not start: ${exit.error}`);
}

/** How an agent ended that reported no result. */
export function endedWithoutResult({ code, signal, stderr }: Exit): string {
  const how = signal === null ? `it exited with ${code}` : `it was killed by ${signal}`;
  return `${how} without a result${stderr === "" ? "" : `: ${oneLine(stderr, 500)}`}`;
}
