import { acpAgent } from "../agents/acp/agent.ts";
import { agents } from "../agents/all.ts";
import { DEMO } from "../agents/demo/demo.ts";
import type { Agent } from "../agents/port.ts";
import { Refusal } from "../engine/refusal.ts";
import type { AgentChoice } from "../run/agent-choice.ts";
import type { AcpCommand } from "../run/run-settings.ts";
import { oneLine } from "../text/template.ts";
import { SHELL_PROGRAM } from "../text/wording.ts";
import { type AgentState, listAgents, mayBeReady, pickReady } from "./list-agents.ts";
import type { RunOptions } from "./options.ts";

/** Every agent that we can start. Those in the user's settings replace built-in ones of the same name. */
export const knownAgents = (acp: readonly AcpCommand[]): readonly Agent[] => [
  ...agents.filter(({ id }) => acp.every((one) => one.id !== id)),
  ...acp.map(({ id, command }) => acpAgent({ id, name: id, command })),
];

interface Place {
  readonly cwd: string;
  readonly env: Readonly<Record<string, string | undefined>>;
}

export interface Crew {
  /** With agents that are ready, for every role. */
  readonly options: RunOptions;
  /** Of those that were named, or else of the one that was found. */
  readonly states: readonly AgentState[];
  /** Why no agent can be started, if so. */
  readonly none?: Refusal;
}

/** Asks the agents who is ready. */
export async function findCrew(
  options: RunOptions,
  known: readonly Agent[],
  place: Place,
): Promise<Crew> {
  const chosen = Object.values(options.agents).flat();
  const names = new Set(chosen.map(({ agent }) => agent));
  const unknown = [...names].find((name) => known.every(({ id }) => id !== name));
  if (unknown !== undefined)
    throw new Refusal(
      "usage",
      `there is no agent "${unknown}"`,
      `${SHELL_PROGRAM} agents lists them; another one that speaks ACP is named in your settings: acp: [${unknown}=<command>]`,
    );
  const asked = names.size === 0 ? known : known.filter(({ id }) => names.has(id));
  const states = await listAgents(asked, place, options.env);
  const taken = pickReady(states, chosen);
  if (taken.length === 0) {
    const why = states
      .filter(
        ({ id, installed }) => names.has(id) || (names.size === 0 && installed && id !== DEMO),
      )
      .map((state) => `${state.id}: ${oneLine(state.why ?? "not ready", 200)}`);
    const none = new Refusal(
      "unavailable",
      why.length === 0 ? "no agent is installed" : `no agent is ready: ${why.join("; ")}`,
      `${SHELL_PROGRAM} agents says what to do; ${SHELL_PROGRAM} run --agent demo shows a run without any`,
    );
    return { options, states: [], none };
  }
  const ready = new Set(states.filter(mayBeReady).map(({ id }) => id));
  const fit = (choices: readonly AgentChoice[]): readonly AgentChoice[] => {
    const own = choices.filter(({ agent }) => ready.has(agent));
    if (own.length > 0) return own;
    return taken.map((one) =>
      options.model === undefined ? one : { ...one, model: options.model },
    );
  };
  const roles = Object.entries(options.agents).map(([role, choices]) => [role, fit(choices)]);
  const isOf = (id: string): boolean => names.has(id) || taken.some(({ agent }) => agent === id);
  const fitting = Object.fromEntries(roles) as RunOptions["agents"];
  return { options: { ...options, agents: fitting }, states: states.filter(({ id }) => isOf(id)) };
}
