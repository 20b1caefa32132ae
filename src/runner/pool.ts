import type { Ending } from "../agents/port.ts";

/** What keeps an agent from being started. Times are in milliseconds. */
interface Block {
  /** Null: for the rest of the run. */
  readonly until: number | null;
  readonly why: string;
  /** How often in a row its service was busy. */
  readonly busy: number;
  /** When it was busy for the first time in this row. */
  readonly busySince?: number;
  /** How often in a row it was at its limit. */
  readonly limits?: number;
}

/** Which agents cannot be used at the moment, by id. Immutable: `noteEnding` returns a new pool. */
export type Pool = Readonly<Record<string, Block>>;

export const FREE: Pool = {};

export type Pick =
  | { readonly kind: "agent"; readonly id: string }
  /** All agents are blocked; this one for the shortest time. */
  | { readonly kind: "wait"; readonly id: string; readonly until: number; readonly why: string }
  | { readonly kind: "none"; readonly why: string };

/** The first of the wanted agents that can work. So a run returns to its first choice as soon as it can. */
export function pickAgent(pool: Pool, wanted: readonly string[], now: number): Pick {
  const blocked = wanted.map((id) => ({ id, block: blockOf(pool, id, now) }));
  const free = blocked.find(({ block }) => block === undefined);
  if (free !== undefined) return { kind: "agent", id: free.id };
  const waits = blocked
    .flatMap(({ id, block }) =>
      block === undefined || block.until === null
        ? []
        : [{ id, until: block.until, why: block.why }],
    )
    .sort((a, b) => a.until - b.until);
  const [next] = waits;
  if (next !== undefined) return { kind: "wait", ...next };
  const whys = blocked.map(({ id, block }) => `${id}: ${block?.why ?? ""}`);
  return { kind: "none", why: whys.length === 0 ? "no agent was named" : whys.join("; ") };
}

function blockOf(pool: Pool, id: string, now: number): Block | undefined {
  const block = Object.hasOwn(pool, id) ? pool[id] : undefined;
  return block === undefined || (block.until !== null && block.until <= now) ? undefined : block;
}

/** The wait for a limit without a reset time. */
const UNKNOWN_LIMIT_MS = 15 * 60_000;
/** The service's clock and ours may differ. */
const MARGIN_MS = 1000;
const FIRST_BUSY_MS = 5000;
const MAX_BUSY_MS = 10 * 60_000;

const backOff = (times: number): number => Math.min(FIRST_BUSY_MS * 2 ** times, MAX_BUSY_MS);

/** The pool after an agent ended in this way. An agent that is busy for `maxBusyMs` in a row is not asked again. */
export function noteEnding(
  pool: Pool,
  id: string,
  ending: Ending,
  now: number,
  maxBusyMs: number,
): Pool {
  const before = Object.hasOwn(pool, id) ? pool[id] : undefined;
  switch (ending.kind) {
    case "limit": {
      const reset = ending.resetsAt === undefined ? Number.NaN : Date.parse(ending.resetsAt);
      const limits = before?.limits ?? 0;
      // A reset time in the past, more than once: the service's clock is wrong, or it means another day.
      const least = limits === 0 ? now : now + backOff(limits - 1);
      const until = Number.isNaN(reset)
        ? now + UNKNOWN_LIMIT_MS
        : Math.max(reset + MARGIN_MS, least);
      return { ...pool, [id]: { until, why: ending.text, busy: 0, limits: limits + 1 } };
    }
    case "busy": {
      const busy = before?.busy ?? 0;
      const busySince = before?.busySince ?? now;
      const until = now - busySince >= maxBusyMs ? null : now + backOff(busy);
      return { ...pool, [id]: { until, why: ending.text, busy: busy + 1, busySince } };
    }
    case "auth":
      return { ...pool, [id]: { until: null, why: ending.text, busy: 0 } };
    // Whatever came of it, its model has answered.
    case "refused":
    case "too-long":
    case "turn": {
      const { [id]: block, ...others } = pool;
      // This process began before another one of the same agent hit the limit, which still holds.
      const isLimited = block?.busy === 0 && (block.until ?? Infinity) > now;
      return isLimited ? pool : others;
    }
    default:
      return pool;
  }
}

/** The user wants another try: whoever was busy is asked again. */
export const forgetBusy = (pool: Pool): Pool =>
  Object.fromEntries(Object.entries(pool).filter(([, { busy }]) => busy === 0));
