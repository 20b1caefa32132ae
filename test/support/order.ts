import type { Agent } from "../../src/agents/port.ts";
import type { Budget, RunNews } from "../../src/runner/events.ts";
import type { OrderLimits, WorkOrder } from "../../src/runner/executor.ts";
import { keepBudget } from "../../src/runner/keep-budget.ts";
import { localExecutor } from "../../src/runner/local-executor.ts";
import { startMeter } from "../../src/runner/meter.ts";
import { FREE } from "../../src/runner/pool.ts";
import { openSlots } from "../../src/runner/slots.ts";
import type { Stage } from "../../src/runner/stage.ts";

export const ORDER_LIMITS: OrderLimits = {
  wallMs: 1000,
  silentMs: 1000,
  graceMs: 10,
  mayWait: true,
  maxBusyMs: 6 * 3_600_000,
};

/** What a run's attempts share, with agents that are functions. */
export const makeStage = (
  agents: readonly Agent[],
  {
    budgetOf = {},
    ...more
  }: Partial<Stage> & {
    readonly budgetOf?: { readonly run?: Budget; readonly task?: Budget };
  } = {},
  news: RunNews[] = [],
): Stage => {
  const stage: Stage = {
    run: "run",
    choose: () => agents.map(({ id: agent }) => ({ agent })),
    agents,
    executorIn: (spec, ground) => localExecutor(stage, spec, ground),
    pool: FREE,
    tried: [],
    lose: () => undefined,
    slots: openSlots(4),
    emit: (one) => void news.push(one),
    budget: keepBudget(
      startMeter(Date.now()),
      { run: budgetOf.run ?? {}, task: budgetOf.task ?? {} },
      [],
    ),
    record: () => undefined,
    surround: (_agent, { env }) => ({ env }),
    limits: ORDER_LIMITS,
    awake: { during: (work) => work(), rest: (wait) => wait() },
    room: async () => undefined,
    timeUp: new AbortController().signal,
    signal: new AbortController().signal,
    ...more,
  };
  return stage;
};

export const makeOrder = (
  agents: readonly Pick<Agent, "id">[],
  more: Partial<WorkOrder> = {},
): WorkOrder => ({
  run: "run",
  spec: "demo",
  task: "1.1",
  attempt: 1,
  fence: 1,
  base: null,
  role: "execution",
  title: "t",
  of: 5,
  prompt: "",
  instructions: "",
  agents: agents.map(({ id: agent }) => ({ agent })),
  limits: ORDER_LIMITS,
  files: [],
  decided: [],
  ...more,
});
