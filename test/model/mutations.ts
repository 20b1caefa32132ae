import { currentLoop } from "../../src/run/loop.ts";
import { planRepair } from "../../src/run/plan-run.ts";
import { ALL_TASKS_COMPLETE } from "../../src/run/signal.ts";
import {
  answered,
  asked,
  handing,
  stateOf,
  withLoop,
  withoutList,
  withoutWords,
  withState,
  writing,
} from "./breakage.ts";
import { now, type Rules, rules } from "./program.ts";

/** A loop that is broken on purpose, the scenario that shows it, and the property that it breaks. */
export interface Mutation {
  readonly what: string;
  readonly rules: Rules;
  readonly scenario: string;
  readonly breaks: string;
}

export const mutations: readonly Mutation[] = [
  {
    what: "ignores agents in the background",
    rules: asked((event, disk) => [{ ...event, agentsRunning: 0 }, disk]),
    scenario: "agents in the background and another session",
    breaks: "hands each out once at a time",
  },
  {
    what: "takes any session's stop for its own",
    rules: asked((event, disk) => {
      const { session } = currentLoop(stateOf(disk), disk.last, now);
      return [{ ...event, sessionId: session ?? event.sessionId }, disk];
    }),
    scenario: "agents in the background and another session",
    breaks: "hands each out once at a time",
  },
  {
    what: "binds an unbound run to nobody",
    rules: answered((decision) => writing(decision, { session: null }, { sessionId: undefined })),
    scenario: "a run that the user began at a terminal",
    breaks: "hands each out once at a time",
  },
  {
    what: "believes the agent rather than the boxes",
    rules: asked((event, disk) => [
      event,
      event.message === ALL_TASKS_COMPLETE ? withoutList(disk) : disk,
    ]),
    scenario: "one task, reported, hidden and lied about",
    breaks: "finishes only what is done",
  },
  {
    what: "believes the index rather than the boxes",
    rules: asked((event, disk) => [
      event,
      (stateOf(disk).taskIndex ?? 0) >= 99
        ? withoutList(withState(disk, { taskIndex: 1, totalTasks: 1 }))
        : disk,
    ]),
    scenario: "a state that is rewritten, broken and removed",
    breaks: "finishes only what is done",
  },
  {
    what: "takes a vanished list for a finished one",
    rules: asked((event, disk) => [event, disk.tasks.kind === "absent" ? withoutList(disk) : disk]),
    scenario: "a list that is edited, emptied and removed",
    breaks: "finishes only what is done",
  },
  {
    what: "takes a ticked box for a done task",
    rules: asked((event, disk) => [event, withLoop(disk, () => ({ boxes: null, ready: null }))]),
    scenario: "a list that is edited, emptied and removed",
    breaks: "finishes only what is proven",
  },
  {
    what: "does not notice that all is done",
    rules: answered((decision) =>
      decision.outcome === "finished" ? { outcome: "idle" } : decision,
    ),
    scenario: "one task, reported, hidden and lied about",
    breaks: "comes to the end",
  },
  {
    what: "stops whenever a hook has kept the turn going",
    rules: asked((event, disk) => [
      event,
      event.continuing ? withLoop(disk, () => ({ continued: 0 })) : disk,
    ]),
    scenario: "one task, reported, hidden and lied about",
    breaks: "says why it stops",
  },
  {
    what: "forgets that nothing moves",
    rules: asked((event, disk) => [
      event,
      { ...disk, settings: { ...disk.settings, stallLimit: 1e9 } },
    ]),
    scenario: "one task, reported, hidden and lied about",
    breaks: "ends by itself",
  },
  {
    what: "takes every turn for movement",
    rules: answered((decision) => writing(decision, { mark: "", stalled: 0 })),
    scenario: "one task, reported, hidden and lied about",
    breaks: "ends by itself",
  },
  {
    what: "has no limit of turns",
    rules: asked((event, disk) => [
      event,
      withLoop(withState(disk, { maxGlobalIterations: 1e6 }), () => ({ maxIterations: 1e6 })),
    ]),
    scenario: "one task, reported, hidden and lied about",
    breaks: "stays within its turns",
  },
  {
    what: "counts in the state alone",
    rules: asked((event, disk) => [
      event,
      withLoop(disk, (_, { globalIteration = 1 }) => ({ iteration: globalIteration })),
    ]),
    scenario: "a state that is rewritten, broken and removed",
    breaks: "stays within its turns",
  },
  {
    what: "lets the state raise its limit",
    rules: asked((event, disk) => [
      event,
      withLoop(disk, ({ maxIterations }, state) => ({
        maxIterations: state.maxGlobalIterations ?? maxIterations,
      })),
    ]),
    scenario: "a state that is rewritten, broken and removed",
    breaks: "stays within its turns",
  },
  {
    what: "does not write down what it did",
    rules: answered(({ outcome, prompt, say }) => ({
      outcome,
      ...(prompt === undefined ? {} : { prompt }),
      ...(say === undefined ? {} : { say }),
    })),
    scenario: "one task, reported, hidden and lied about",
    breaks: "ends by itself",
  },
  {
    what: "tells of a broken file at every stop",
    rules: answered((decision, disk) =>
      decision.outcome === "corrupt"
        ? writing(decision, { told: null, iteration: disk.last?.loop.iteration ?? 1 })
        : decision,
    ),
    scenario: "a state that is rewritten, broken and removed",
    breaks: "ends by itself",
  },
  {
    what: "takes an agent for its user",
    rules: { ...rules, trustsAgents: true },
    scenario: "an agent that helps itself to more turns",
    breaks: "stays within its turns",
  },
  {
    what: "forgets at a repair that its turns are used",
    rules: {
      ...rules,
      planRepair(disk, list, session, at) {
        const { write, brief } = planRepair(disk, list, session, at);
        return { brief, write: { ...write, loop: { ...write.loop, told: null } } };
      },
    },
    scenario: "an agent that helps itself to more turns",
    breaks: "stays within its turns",
  },
  {
    what: "says nothing at its limit",
    rules: answered((decision) =>
      decision.outcome === "limit" ? withoutWords(decision) : decision,
    ),
    scenario: "one task, reported, hidden and lied about",
    breaks: "says why it stops",
  },
  {
    what: "says nothing when it stalls",
    rules: answered((decision) =>
      decision.outcome === "stalled" ? withoutWords(decision) : decision,
    ),
    scenario: "one task, reported, hidden and lied about",
    breaks: "says why it stops",
  },
  {
    what: "says nothing when a task has failed too often",
    rules: answered((decision) =>
      decision.outcome === "exhausted" ? withoutWords(decision) : decision,
    ),
    scenario: "a parallel pair with failures and fixes",
    breaks: "says why it stops",
  },
  {
    what: "says nothing while it waits",
    rules: answered((decision) =>
      decision.outcome === "awaiting" ? withoutWords(decision) : decision,
    ),
    scenario: "one task and its user",
    breaks: "says why it stops",
  },
  {
    what: "goes on through a pause",
    rules: asked((event, disk) => [
      event,
      withState(disk, { paused: false, awaitingApproval: false }),
    ]),
    scenario: "one task and its user",
    breaks: "leaves a waiting user alone",
  },
  {
    what: "believes a state in which the pause is over",
    rules: { ...rules, applyDecisions: (file) => file },
    scenario: "an agent that helps itself to more turns",
    breaks: "leaves a waiting user alone",
  },
  {
    what: "takes a run for that of the session which the state names",
    rules: asked((event, disk) => [
      event,
      withLoop(disk, ({ session }, { sessionId }) => ({ session: sessionId ?? session })),
    ]),
    scenario: "a state that is given away, removed and forged",
    breaks: "says why it stops",
  },
  {
    what: "continues a state of which this machine knows nothing",
    rules: { ...rules, knowsRuns: false },
    scenario: "a state that nobody began here",
    breaks: "drives only what its user began",
  },
  {
    what: "says nothing of a run whose state is gone",
    rules: { ...rules, missesRuns: false },
    scenario: "a state that is rewritten, broken and removed",
    breaks: "says why it stops",
  },
  {
    what: "removes the state at its limit",
    rules: answered((decision) =>
      decision.outcome === "limit" && decision.write !== undefined
        ? { ...decision, write: { ...decision.write, state: "remove" } }
        : decision,
    ),
    scenario: "one task, reported, hidden and lied about",
    breaks: "keeps the state until the end",
  },
  {
    what: "hands out a task that is ticked",
    rules: answered((decision, disk) => handing(decision, disk, () => true)),
    scenario: "a parallel pair with failures and fixes",
    breaks: "comes to the end",
  },
  {
    what: "hands out a task before its fix",
    rules: answered((decision, disk) =>
      handing(
        decision,
        disk,
        ({ index }) => disk.tasks.kind === "ok" && disk.tasks.list.tasks[index]?.checked === false,
      ),
    ),
    scenario: "a fix in the list, edited by hand",
    breaks: "hands out open tasks only",
  },
  {
    what: "writes an index beside the boxes",
    rules: answered((decision) =>
      decision.outcome === "continue" ? writing(decision, {}, { taskIndex: 7 }) : decision,
    ),
    scenario: "one task, reported, hidden and lied about",
    breaks: "keeps the cache true",
  },
  {
    what: "ticks a box without its Verify",
    rules: { ...rules, judgeEvidence: () => undefined },
    scenario: "one task, reported, hidden and lied about",
    breaks: "ticks only what is proven",
  },
  {
    what: "runs whatever a Verify says by now",
    rules: { ...rules, questionOf: () => undefined },
    scenario: "a fix in the list, edited by hand",
    breaks: "runs only what is agreed to",
  },
  {
    what: "takes any report",
    rules: { ...rules, judgeClaim: () => undefined },
    scenario: "one task, reported, hidden and lied about",
    breaks: "ticks only what is proven",
  },
];
