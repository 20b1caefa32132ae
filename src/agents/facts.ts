/** What we know about an agent from having tried it: what it reports about its cost and limits. */
export interface AgentFacts {
  /** Whether it reports its cost, or how many tokens it used. */
  readonly cost: "cost" | "tokens" | "nothing";
  /** Whether it says when a usage limit ends, or only that there is one. */
  readonly limits: "time" | "seen" | "unseen";
  /** Whether it runs its commands in its own sandbox. */
  readonly sandbox: boolean;
}

const FACTS: Readonly<Record<string, AgentFacts>> = {
  claude: { cost: "cost", limits: "time", sandbox: false },
  codex: { cost: "tokens", limits: "time", sandbox: true },
  gemini: { cost: "tokens", limits: "seen", sandbox: false },
  qwen: { cost: "tokens", limits: "unseen", sandbox: false },
  opencode: { cost: "cost", limits: "seen", sandbox: false },
  copilot: { cost: "tokens", limits: "seen", sandbox: false },
  demo: { cost: "cost", limits: "time", sandbox: false },
};

/** Undefined for an agent from the settings. */
export const factsOf = (agent: string): AgentFacts | undefined =>
  Object.hasOwn(FACTS, agent) ? FACTS[agent] : undefined;

export const reportsCost = (agent: string): boolean => factsOf(agent)?.cost === "cost";

/** `reports its cost; says when a limit ends; has its own sandbox`. */
export function describeFacts(facts: AgentFacts | undefined): string {
  if (facts === undefined) return "not known to us";
  const { cost, limits, sandbox } = facts;
  return [
    {
      cost: "reports its cost",
      tokens: "reports tokens, not its cost",
      nothing: "reports neither tokens nor cost",
    }[cost],
    {
      time: "says when a limit ends",
      seen: "says that there is a limit",
      unseen: "hides limits: it retries until we end it",
    }[limits],
    ...(sandbox ? ["has its own sandbox"] : []),
  ].join("; ");
}
