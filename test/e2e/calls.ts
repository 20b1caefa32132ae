import type { ApiRequest, Ask } from "./ask.ts";
import type { Model } from "./model.ts";

/** What a run costs in calls of the model, and in tokens, by the usual rule of thumb: four characters each. */
export interface CallCost {
  /** Calls of the main agent. */
  readonly main: number;
  /** By how much its conversation grew from each of its calls to the next. */
  readonly growth: readonly number[];
  /** What each executor's first call holds besides its orders: the client's own prompt, its tools, our agent's text. */
  readonly bases: readonly number[];
}

export function costOf({ asks }: Pick<Model, "asks">): CallCost {
  const main = asks.filter(({ asker }) => asker === "main");
  const sizes = main.map(({ request }) => tokensOf(request.messages));
  const first = new Map<string, Ask>();
  for (const ask of asks)
    if (ask.agentId !== undefined && !first.has(ask.agentId) && isExecutor(ask))
      first.set(ask.agentId, ask);
  return {
    main: main.length,
    growth: sizes.slice(1).map((size, i) => size - (sizes[i] as number)),
    bases: [...first.values()].map(({ request, order }) => sizeOf(request) - tokensOf(order)),
  };
}

/** What the model reads in all calls together, whoever makes them: agents, sub-agents, the client itself. */
export const inputTokens = ({ asks }: Pick<Model, "asks">): number =>
  asks.reduce((sum, { request }) => sum + sizeOf(request), 0);

const isExecutor = ({ order }: Ask): boolean => /^# Task \S+ of /m.test(order);

const sizeOf = ({ system, tools, messages }: ApiRequest): number =>
  tokensOf(system) + tokensOf(JSON.stringify(tools)) + tokensOf(messages);

const tokensOf = (value: unknown): number => Math.ceil(charactersOf(value) / 4);

/** What the model reads: all texts, and the names and values of what tools are called with. */
function charactersOf(value: unknown): number {
  if (typeof value === "string") return value.length;
  if (typeof value !== "object" || value === null) return 0;
  return Object.entries(value).reduce(
    (sum, [name, one]) => sum + (FORM.has(name) ? 0 : charactersOf(one)),
    0,
  );
}

/** Fields of a message that are not content. */
const FORM = new Set(["type", "role", "cache_control"]);
