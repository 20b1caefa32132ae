import * as s from "../text/schema.ts";
import { oneLine } from "../text/template.ts";
import { counted } from "../text/wording.ts";
import type { Entry } from "./journal.ts";

const costFields = {
  role: s.field(s.string, ""),
  tokens: s.field(s.nullable(s.integer(0)), ""),
  toolUses: s.field(s.nullable(s.integer(0)), ""),
  ms: s.field(s.nullable(s.integer(0)), ""),
  model: s.field(s.nullable(s.string), ""),
};

/** What only those know who start agents themselves. */
const runnerFields = {
  /** As `--agent` names it. */
  agent: s.field(s.string, ""),
  usd: s.field(s.number(0), ""),
  /** Who says what it cost: the agent itself, or the prices in the user's settings. */
  source: s.field(s.oneOf("agent", "prices"), ""),
};

/** What one sub-agent used until it ended, as the client reports it, or as it says itself. */
export const costKind = s.objectWith(costFields, runnerFields);
export type Cost = s.TypeOf<typeof costKind>;

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

/** `unknown` if some of it has no price. */
const sourceKind = s.oneOf("agent", "prices", "unknown");
const SOURCE = "Where the cost comes from: the agent, or the prices in the settings.";
export type CostSource = s.TypeOf<typeof sourceKind>;

export const pricedFields = {
  usd: s.field(s.nullable(s.number(0)), "US dollars; null if unknown."),
  source: s.field(sourceKind, SOURCE),
};

/** What one agent used, or several together. What nobody reported is null. */
export const spentKind = s.objectOf({
  tokens: s.field(s.nullable(s.integer(0)), "Input and output; null if unknown."),
  ms: s.field(s.nullable(s.number(0)), "How long it worked."),
  usd: pricedFields.usd,
  sources: s.field(s.listOf(sourceKind), SOURCE),
  // Agents that `run` started, or sub-agents of a client.
  by: s.field(s.listOf(s.oneOf("agents", "sub-agents")), "Who used it."),
});
export type Spent = s.TypeOf<typeof spentKind>;

export const NOTHING: Spent = { tokens: null, ms: null, usd: null, sources: [], by: [] };

/** If a part is unknown, the sum is a lower bound. */
export const sumSpent = (parts: readonly { readonly spent: Spent }[]): Spent =>
  parts.reduce(
    (a, { spent: b }) => ({
      tokens: add(a.tokens, b.tokens),
      ms: add(a.ms, b.ms),
      usd: add(a.usd, b.usd),
      sources: union(a.sources, b.sources),
      by: union(a.by, b.by),
    }),
    NOTHING,
  );

const add = (a: number | null, b: number | null): number | null =>
  a === null || b === null ? (a ?? b) : Math.min(a + b, Number.MAX_SAFE_INTEGER);

const union = <T>(a: readonly T[], b: readonly T[]): readonly T[] => [...new Set([...a, ...b])];

const spentBy = ({ tokens, ms, usd, source = "agent", agent }: Cost): Spent => ({
  tokens,
  ms,
  usd: usd ?? null,
  sources: [usd === undefined ? "unknown" : source],
  by: [agent === undefined ? "sub-agents" : "agents"],
});

const costsIn = (entries: readonly Entry[]): Cost[] => entries.flatMap(({ cost }) => cost ?? []);

function sumOf(costs: readonly Cost[]): Spent | null {
  const sum = sumSpent(costs.map((cost) => ({ spent: spentBy(cost) })));
  return sum.tokens === null && sum.ms === null && sum.usd === null ? null : sum;
}

/** What the agents in these entries used; null if none of it is known. */
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
export const formatSpent = ({ tokens, ms, usd, sources }: Omit<Spent, "by">): string =>
  [
    tokens === null ? "" : formatTokens(tokens),
    ms === null ? "" : formatTime(ms),
    formatCost({ usd, sources }),
  ]
    .filter((part) => part !== "")
    .join(", ");

/** `$0.21`; `~$0.21` if it is from the prices in the settings, or in part unknown; empty if nothing is known. */
export function formatCost({ usd, sources }: Pick<Spent, "usd" | "sources">): string {
  if (usd === null) return "";
  return `${sources.some((one) => one !== "agent") ? "~" : ""}${formatMoney(usd)}`;
}

/** Who used how much, for what, and whose use is not known to us. */
export function formatCosts(sum: Spent, parts: ReturnType<typeof spentByPurpose> = []): string {
  const each = parts.map((part) => `${part.purpose} ${formatSpent(part)}`).join("; ");
  const purposes =
    parts.length > 1 ? ` (${each})` : parts.map(({ purpose }) => `, all for ${purpose}`).join("");
  const unknown = sum.by.includes("sub-agents")
    ? "; the main agent's own tokens are not counted"
    : "";
  return `${sum.by.join(" and ")} ${formatSpent(sum)}${purposes}${unknown}`;
}

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
