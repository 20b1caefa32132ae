import {
  field,
  integer,
  nullable,
  number,
  objectWith,
  oneOf,
  string,
  type ValuesOf,
} from "../text/schema.ts";
import { oneLine } from "../text/template.ts";
import { counted } from "../text/wording.ts";
import type { Entry } from "./journal.ts";

const costFields = {
  role: field(string, ""),
  tokens: field(nullable(integer(0)), ""),
  toolUses: field(nullable(integer(0)), ""),
  ms: field(nullable(integer(0)), ""),
  model: field(nullable(string), ""),
};

/** What only those know who start agents themselves. */
const runnerFields = {
  /** As `--agent` names it. */
  agent: field(string, ""),
  usd: field(number(0), ""),
  /** Who says what it cost: the agent itself, or the prices in the user's settings. */
  source: field(oneOf("agent", "prices"), ""),
};

/** What one sub-agent used until it ended, as the client reports it, or as it says itself. */
export type Cost = ValuesOf<typeof costFields> & Partial<ValuesOf<typeof runnerFields>>;
export const costKind = objectWith(costFields, runnerFields);

/** Whatever the client sends, a line of the journal stays short. */
export function boundCost({ role, tokens, toolUses, ms, model, agent, usd, source }: Cost): Cost {
  const isMoney = usd !== undefined && Number.isFinite(usd) && usd >= 0;
  return {
    ...(agent === undefined ? {} : { agent: oneLine(agent, MAX_WORD) }),
    ...(isMoney ? { usd, source: source ?? "agent" } : {}),
    role: oneLine(role.slice(role.lastIndexOf(":") + 1), MAX_WORD),
    tokens: countOf(tokens),
    toolUses: countOf(toolUses),
    ms: countOf(ms),
    model: model === null ? null : oneLine(model, MAX_WORD),
  };
}

const MAX_WORD = 100;

function countOf(value: number | null): number | null {
  const count = value === null ? -1 : Math.round(value);
  return Number.isSafeInteger(count) && count >= 0 ? count : null;
}

/** What several of them used; null if the client never said. */
export interface Spent {
  readonly tokens: number | null;
  readonly ms: number | null;
  /** US dollars, if any of them said so. */
  readonly usd?: number;
}

const add = (sum: number | null, one: number | null): number | null =>
  one === null ? sum : Math.min((sum ?? 0) + one, Number.MAX_SAFE_INTEGER);

const sumOf = (costs: readonly Cost[]): Spent | null =>
  costs.length === 0
    ? null
    : costs.reduce<Spent>(
        (sum, { tokens, ms, usd }) => ({
          tokens: add(sum.tokens, tokens),
          ms: add(sum.ms, ms),
          ...(sum.usd === undefined && usd === undefined
            ? {}
            : { usd: (sum.usd ?? 0) + (usd ?? 0) }),
        }),
        { tokens: null, ms: null },
      );

const costsIn = (entries: readonly Entry[]): Cost[] => entries.flatMap(({ cost }) => cost ?? []);

/** What the agents in these entries used; null if none is known. */
export const spentOn = (entries: readonly Entry[]): Spent | null => sumOf(costsIn(entries));

export type Purpose = "execution" | "verification" | "planning" | "review";

const PURPOSES: Readonly<Record<string, Purpose>> = {
  "spec-executor": "execution",
  "qa-engineer": "verification",
  "spec-reviewer": "review",
};

/** In the order in which people read it; what nothing was spent on is left out. */
export function spentByPurpose(
  entries: readonly Entry[],
): readonly (Spent & { readonly purpose: Purpose })[] {
  const all = costsIn(entries);
  return (["planning", "execution", "verification", "review"] as const).flatMap((purpose) => {
    // Every other agent of ours writes or looks into documents.
    const own = all.filter(({ role }) => (purposeOf(role) ?? "planning") === purpose);
    const sum = sumOf(own);
    return sum === null ? [] : [{ purpose, ...sum }];
  });
}

const purposeOf = (role: string): Purpose | undefined =>
  Object.hasOwn(PURPOSES, role) ? PURPOSES[role] : undefined;

/** `41k tokens, 2 min 10 s, $0.21`; empty if nothing is known. */
export const formatSpent = ({ tokens, ms, usd }: Spent): string =>
  [
    ...(tokens === null ? [] : [formatTokens(tokens)]),
    ...(ms === null ? [] : [formatTime(ms)]),
    ...(usd === undefined ? [] : [formatMoney(usd)]),
  ].join(", ");

/** The sum, and what it was spent on if that is more than one thing. */
export const formatCosts = (sum: Spent, parts: ReturnType<typeof spentByPurpose>): string =>
  parts.length === 1
    ? `sub-agents ${formatSpent(sum)}, all for ${parts[0]?.purpose}`
    : `sub-agents ${formatSpent(sum)} (${parts.map(({ purpose, ...own }) => `${purpose} ${formatSpent(own)}`).join("; ")})`;

export const formatTokens = (tokens: number): string =>
  tokens < 1000 ? counted(tokens, "token") : `${formatAmount(tokens)} tokens`;

/** `840`, `41k`, `1.2M`. */
export function formatAmount(count: number): string {
  if (count < 1000) return String(count);
  const [amount, unit] = count < 999_500 ? [count / 1e3, "k"] : [count / 1e6, "M"];
  return `${amount < 9.95 ? amount.toFixed(1).replace(/\.0$/, "") : Math.round(amount)}${unit}`;
}

/** `$0.21`; what is less than a cent is not nothing. */
export function formatMoney(usd: number): string {
  if (usd > 0 && usd < 0.01) return "<$0.01";
  return `$${usd < 1000 ? usd.toFixed(2) : Math.round(usd)}`;
}

/** `0.4 s`, `48 s`, `2 min 10 s`, `1 h 5 min`. */
export function formatTime(ms: number): string {
  if (ms < 9950) return `${(ms / 1000).toFixed(1).replace(/\.0$/, "")} s`;
  const seconds = Math.round(ms / 1000);
  if (seconds < 60) return `${seconds} s`;
  const minutes = Math.floor(seconds / 60);
  if (minutes < 60) return pair(minutes, "min", seconds % 60, "s");
  return pair(Math.floor(minutes / 60), "h", minutes % 60, "min");
}

const pair = (large: number, unit: string, small: number, part: string): string =>
  small === 0 ? `${large} ${unit}` : `${large} ${unit} ${small} ${part}`;
