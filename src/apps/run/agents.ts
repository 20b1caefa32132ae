import { describeFacts } from "../../agents/facts.ts";
import { resolveOrBeginProject } from "../../engine/resolve-spec.ts";
import { describeProcesses, openNamespace } from "../../exec/namespace.ts";
import { type AgentChoice, formatChoice } from "../../run/agent-choice.ts";
import { knownAgents } from "../../runner/crew.ts";
import { type AgentState, isReady, listAgents, pickReady } from "../../runner/list-agents.ts";
import { readRunSettings } from "../../store/run-settings-file.ts";
import { oneLine } from "../../text/template.ts";
import { SHELL_PROGRAM } from "../../text/wording.ts";
import type { Command, Context, Result } from "../cli/command.ts";
import { paint } from "../cli/paint.ts";
import { makeTicker } from "../cli/ticker.ts";

export const agentsCommand: Command["run"] = async (context) => {
  const settings = readRunSettings(resolveOrBeginProject(context));
  const all = knownAgents(settings.acp);
  let answered = 0;
  const isTerminal = context.width !== undefined;
  const ticker = makeTicker("asking agents", all.length, isTerminal, context.write);
  const timer = setInterval(() => ticker.tick(answered), 200);
  try {
    const states = await listAgents(all, context, settings.env, () => answered++);
    ticker.end();
    const processes = describeProcesses(openNamespace(settings.namespace));
    return resultOf(context, states, settings.agents, processes);
  } finally {
    clearInterval(timer);
  }
};

export function resultOf(
  { colour }: Pick<Context, "colour">,
  states: readonly AgentState[],
  chosen: readonly AgentChoice[],
  processes: string,
): Result {
  const taken = pickReady(states, chosen);
  const { good, dim, warn } = paint(colour);
  const width = Math.max(...states.map(({ id }) => id.length), 0);
  const lines = states.flatMap((state) => {
    const mark = isReady(state) ? good("✓") : state.installed ? warn("!") : dim("-");
    const about = state.installed ? ` ${dim(describeFacts(state.facts))}` : "";
    return [
      `${mark} ${state.id.padEnd(width)}  ${oneLine(headOf(state), 200)}${about === "" ? "" : ` ·${about}`}`,
      ...(state.why === undefined ? [] : [`  ${" ".repeat(width)}  → ${oneLine(state.why, 300)}`]),
    ];
  });
  return {
    ok: taken.length > 0,
    text: [...lines, "", ...endOf(states, chosen, taken), `processes: ${processes}`].join("\n"),
    json: {
      agents: states.map(({ facts, ...state }) => ({
        ...state,
        ready: isReady(state),
        reports: facts?.cost ?? null,
        limits: facts?.limits ?? null,
        sandbox: facts?.sandbox ?? null,
      })),
      chosen: chosen.map(formatChoice),
      taken: taken.map(formatChoice),
      processes,
    },
  };
}

function headOf({ name, installed, version, loggedIn }: AgentState): string {
  if (!installed) return `${name}: not installed`;
  const login =
    loggedIn === undefined ? "login not known" : loggedIn ? "logged in" : "not logged in";
  return `${name}${version === undefined ? "" : ` ${version}`}, ${login}`;
}

/** Which agents `run` would use, and how to choose others. */
function endOf(
  states: readonly AgentState[],
  chosen: readonly AgentChoice[],
  taken: readonly AgentChoice[],
): string[] {
  const unknown = chosen.filter(({ agent }) => !states.some(({ id }) => id === agent));
  const names = taken.map(formatChoice).join(", then ");
  const isTaken = (id: string): boolean => taken.some(({ agent }) => agent === id);
  const other =
    states.find((state) => isReady(state) && !isTaken(state.id)) ??
    states.find(({ id }) => !isTaken(id));
  const choose = `${SHELL_PROGRAM} init --agent ${other?.id ?? "name"} chooses`;
  return [
    ...unknown.map(
      ({ agent }) => `Your settings name ${agent}, which is not a known agent: ${choose} another`,
    ),
    taken.length === 0
      ? chosen.length === 0
        ? "No agent is ready: install one and log in."
        : `None of the agents in your settings is ready: ${chosen.map(formatChoice).join(", ")}.`
      : chosen.length === 0
        ? `Without --agent, run uses ${names}, the first that is ready. ${choose} another.`
        : `Without --agent, run uses ${names}, as your settings say.`,
  ];
}
