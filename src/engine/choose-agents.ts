import { findClients } from "../hosts/setups.ts";
import {
  type AgentChoice,
  CHOICE_EXAMPLE,
  formatChoice,
  parseAgentChoices,
} from "../run/agent-choice.ts";
import { RUN_SETTINGS } from "../run/run-settings.ts";
import { SHELL_PROGRAM } from "../text/wording.ts";
import { requireShell } from "./authority.ts";
import { planSetting, type SettingPlan } from "./configure.ts";
import { Refusal } from "./refusal.ts";
import type { Request } from "./request.ts";
import { resolveOrBeginProject } from "./resolve-spec.ts";

export interface AgentsPlan extends SettingPlan {
  readonly choices: readonly AgentChoice[];
}

/** The agents on this machine, in the order in which we look for them. Nothing tells yet whether they are logged in. */
export const installedAgents = (clients: ReturnType<typeof findClients>): string[] =>
  clients.flatMap(({ setup, client }) => (client.severity === "info" ? [] : [setup.name]));

/** Whom `run` starts, from now on: a line in the user's own settings. `auto`: the first that is installed. */
export function planAgents(request: Request, names: string): AgentsPlan {
  requireShell(request, "init");
  const choices = names.trim() === "auto" ? pickFirst(request) : parseAgentChoices(names);
  if (choices === undefined)
    throw new Refusal("usage", `"${names}" names no agents`, `write ${CHOICE_EXAMPLE}`);
  const project = resolveOrBeginProject(request);
  return { choices, ...planSetting(project, RUN_SETTINGS.agents, choices.map(formatChoice)) };
}

function pickFirst({ env }: Request): readonly AgentChoice[] {
  const [first] = installedAgents(findClients(env));
  if (first !== undefined) return [{ agent: first }];
  throw new Refusal(
    "missing",
    "no agent is installed",
    `${SHELL_PROGRAM} agents says which there are`,
  );
}
