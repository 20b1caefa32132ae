import { planAgentEnvironment } from "../agents/environment.ts";
import { type AgentFacts, factsOf } from "../agents/facts.ts";
import type { Agent, Probe } from "../agents/port.ts";
import type { AgentChoice } from "../run/agent-choice.ts";
import { markDriven } from "../run/driven.ts";

/** An agent as it is on this machine. */
export interface AgentState extends Probe {
  readonly id: string;
  readonly name: string;
  readonly driver: Agent["driver"];
  readonly facts: AgentFacts | undefined;
}

const PROBE_MS = 10_000;

/** Probes all agents at the same time, and does not wait for slow ones. */
export const listAgents = (
  agents: readonly Agent[],
  place: { readonly cwd: string; readonly env: Readonly<Record<string, string | undefined>> },
  envNames: readonly string[],
  onAnswer: () => void = () => undefined,
  withinMs = PROBE_MS,
): Promise<AgentState[]> =>
  Promise.all(
    agents.map(async (agent): Promise<AgentState> => {
      const { id, name, driver } = agent;
      const env = markDriven(planAgentEnvironment(id, place.env, envNames));
      const probe = await withTimeout(agent.probe({ cwd: place.cwd, env }), withinMs);
      onAnswer();
      return { id, name, driver, facts: factsOf(id), ...probe };
    }),
  );

async function withTimeout(probe: Promise<Probe>, withinMs: number): Promise<Probe> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<Probe>((resolve) => {
    const why = `it did not answer within ${withinMs / 1000} s; start it in a terminal`;
    timer = setTimeout(() => resolve({ installed: true, why }), withinMs);
  });
  // A probe should not reject; if one does, the others are still listed.
  const answer = probe.catch((error: unknown): Probe => ({
    installed: false,
    why: (error as Error).message,
  }));
  try {
    return await Promise.race([answer, late]);
  } finally {
    clearTimeout(timer);
  }
}

/** Some agents do not tell whether they are logged in: then the first task shows it. */
export const isReady = ({ installed, loggedIn, why }: Probe): boolean =>
  installed && (loggedIn ?? why === undefined);

/**
 * Whether an agent that was named is worth a try: it answers, and is not known to be logged out. With the user's own model
 * provider, it may need no login.
 */
export const mayBeReady = (probe: Probe): boolean =>
  isReady(probe) || (probe.installed && probe.version !== undefined && probe.loggedIn !== false);

/** The chosen agents that may be ready; without a choice, the first that is, preferably one that is surely logged in. */
export function pickReady(
  states: readonly AgentState[],
  choices: readonly AgentChoice[],
): readonly AgentChoice[] {
  if (choices.length > 0) {
    const possible = new Set(states.filter(mayBeReady).map(({ id }) => id));
    return choices.filter(({ agent }) => possible.has(agent));
  }
  const ready = states.filter(isReady);
  // The scripted demo agent is used only if it is named.
  const real = ready.filter(({ driver }) => driver !== "demo");
  const first = real.find(({ loggedIn }) => loggedIn === true) ?? real[0];
  return first === undefined ? [] : [{ agent: first.id }];
}
