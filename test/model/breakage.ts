import { decide } from "../../src/run/decide.ts";
import type { Decision, Disk, StopEvent } from "../../src/run/decision.ts";
import type { HandOutTask } from "../../src/run/hand-out.ts";
import type { Loop } from "../../src/run/journal.ts";
import type { Raw, State } from "../../src/run/state.ts";
import { type Rules, rules } from "./program.ts";

/** A decision that is asked something else than what happened. */
export const asked = (change: (event: StopEvent, disk: Disk) => [StopEvent, Disk]): Rules => ({
  ...rules,
  decide: (event, disk, at) => decide(...change(event, disk), at),
});

/** A decision whose answer is changed. */
export const answered = (
  change: (decision: Decision, disk: Disk, event: StopEvent) => Decision,
): Rules => ({
  ...rules,
  decide: (event, disk, at) => change(decide(event, disk, at), disk, event),
});

export const withLoop = (disk: Disk, change: (loop: Loop, state: State) => Partial<Loop>): Disk => {
  const state = stateOf(disk);
  return disk.last === undefined
    ? disk
    : {
        ...disk,
        last: { ...disk.last, loop: { ...disk.last.loop, ...change(disk.last.loop, state) } },
      };
};

export const stateOf = ({ state }: Disk): State => (state.kind === "ok" ? state.state : {});

export const withState = (disk: Disk, fields: Partial<State>): Disk =>
  disk.state.kind === "ok"
    ? { ...disk, state: { ...disk.state, state: { ...disk.state.state, ...fields } } }
    : disk;

/** As if there had never been a list: then the index and the agent's word count. */
export const withoutList = (disk: Disk): Disk =>
  withLoop({ ...disk, tasks: { kind: "absent" } }, () => ({ ticked: null }));

export const withoutWords = ({ outcome, write }: Decision): Decision => ({
  outcome,
  ...(write === undefined ? {} : { write }),
});

export const writing = (decision: Decision, loop: Partial<Loop>, state: Raw = {}): Decision =>
  decision.write === undefined || decision.write.state === "remove"
    ? decision
    : {
        ...decision,
        write: {
          ...decision.write,
          loop: { ...decision.write.loop, ...loop },
          ...(decision.write.state === undefined
            ? {}
            : { state: { ...decision.write.state, ...state } }),
        },
      };

const NO_HISTORY = {
  reason: null,
  output: [],
  uncommitted: [],
  startedAt: null,
  passedBefore: false,
  cannotRun: null,
  hasFailed: false,
  isReplaced: false,
  isRetryDue: false,
  decided: [],
} as const;

export const handing = (
  decision: Decision,
  disk: Disk,
  pick: (task: HandOutTask) => boolean,
): Decision => {
  const { prompt } = decision;
  if (prompt?.kind !== "continue" || disk.tasks.kind !== "ok") return decision;
  const all = disk.tasks.list.tasks.map((task) => ({
    ...task,
    text: "",
    verify: false,
    isDesigned: false,
    agent: "spec-executor" as const,
    attempt: 1,
    history: NO_HISTORY,
  }));
  const chosen = all.find(pick);
  return chosen === undefined
    ? decision
    : { ...decision, prompt: { ...prompt, brief: { ...prompt.brief, current: [chosen] } } };
};
