/** What we know of an agent before it is started, by trying: what it tells us of its cost and its limits. */
export interface AgentFacts {
  /** Whether it says what it costs, or how many tokens it used. */
  readonly cost: "cost" | "tokens" | "nothing";
  /** Whether it says when a usage limit ends, or only that there is one. */
  readonly limits: "time" | "seen" | "unseen";
  /** Whether it keeps its own commands in a sandbox. */
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

/** Of one that was named in the settings we know nothing. */
export const factsOf = (agent: string): AgentFacts | undefined =>
  Object.hasOwn(FACTS, agent) ? FACTS[agent] : undefined;

export const reportsCost = (agent: string): boolean => factsOf(agent)?.cost === "cost";

/** `reports its cost; says when a limit ends; has a sandbox of its own`. */
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
      unseen: "hides limits: it tries again until we end it",
    }[limits],
    ...(sandbox ? ["has a sandbox of its own"] : []),
  ].join("; ");
}
