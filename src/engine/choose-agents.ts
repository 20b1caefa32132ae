import { findClients } from "../hosts/checks.ts";
import {
  type AgentChoice,
  CHOICE_EXAMPLE,
  formatChoice,
  parseAgentChoices,
} from "../run/agent-choice.ts";
import { readUserText, writeUserText } from "../store/run-settings-file.ts";
import { setFrontMatter } from "../text/set-front-matter.ts";
import { SHELL_PROGRAM } from "../text/wording.ts";
import { requireShell } from "./authority.ts";
import { Refusal } from "./refusal.ts";
import type { Request } from "./request.ts";
import { resolveOrBeginProject } from "./resolve-spec.ts";

export interface AgentsPlan {
  /** The user's own settings file. */
  readonly path: string;
  readonly isNew: boolean;
  readonly line: string;
  readonly choices: readonly AgentChoice[];
  /** Undefined if it says so already. */
  readonly text: string | undefined;
}

/** The agents on this machine, in the order in which we look for them. Nothing tells yet whether they are logged in. */
export const installedAgents = (clients: ReturnType<typeof findClients>): string[] =>
  clients.flatMap(({ checks, client }) => (client.severity === "info" ? [] : [checks.name]));

/** Whom `run` starts, from now on: a line in the user's own settings. `auto`: the first that is installed. */
export function planAgents(request: Request, names: string): AgentsPlan {
  requireShell(request, "init");
  const { user } = resolveOrBeginProject(request);
  const { path, why } = user;
  if (path === undefined)
    throw new Refusal("missing", "nothing says where your settings are", "set HOME");
  if (why !== undefined) throw new Refusal("refused", `${path} does not count: ${why}`);
  const choices = names.trim() === "auto" ? pickFirst(request) : parseAgentChoices(names);
  if (choices === undefined)
    throw new Refusal("usage", `"${names}" names no agents`, `write ${CHOICE_EXAMPLE}`);
  const line = `[${choices.map(formatChoice).join(", ")}]`;
  const old = readUserText(path);
  const before = old ?? "";
  const text = setFrontMatter(before, "agents", line);
  if (text === undefined)
    throw new Refusal(
      "refused",
      `${path} has agents over several lines`,
      `write agents: ${line} there yourself`,
    );
  return {
    path,
    isNew: old === undefined,
    line: `agents: ${line}`,
    choices,
    text: text === before ? undefined : text,
  };
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

export function writeAgents({ path, text, isNew }: AgentsPlan): void {
  if (text !== undefined) writeUserText(path, text, isNew);
}
