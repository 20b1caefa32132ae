/** What an agent is started for, as in the settings `agent_planning`, `agent_execution`, … */
export const WORK_KINDS = ["planning", "execution", "verification", "review", "merge"] as const;

/** How choices are written, for messages and docs: one with a model, and several. */
export const ONE_EXAMPLE = "claude:opus";
export const CHOICE_EXAMPLE = "claude, or claude:opus,codex";

/** `name`, or `name:model`. */
export interface AgentChoice {
  readonly agent: string;
  readonly model?: string;
}

export const AGENT_NAME = /^[a-z][a-z0-9_-]{0,39}$/;

/** Only the first colon separates: a model's name may contain more. */
function parseAgentChoice(text: string): AgentChoice | undefined {
  const [, agent = "", model] = /^([^:]*)(?::(.*))?$/.exec(text.trim()) ?? [];
  const name = agent.trim().toLowerCase();
  if (!AGENT_NAME.test(name)) return undefined;
  if (model === undefined) return { agent: name };
  return isModel(model.trim()) ? { agent: name, model: model.trim() } : undefined;
}

/** It becomes a program's argument: no spaces, and nothing that looks like an option. */
export const isModel = (text: string): boolean => /^[\w@][\w./:@+\-[\]]{0,119}$/.test(text);

/** Choices separated by commas, in the order in which they are tried. Undefined if one of them is invalid. */
export function parseAgentChoices(text: string): readonly AgentChoice[] | undefined {
  const all = text.split(",").map(parseAgentChoice);
  return all.includes(undefined) ? undefined : withoutRepeats(all as AgentChoice[]);
}

export const formatChoice = ({ agent, model }: AgentChoice): string =>
  model === undefined ? agent : `${agent}:${model}`;

/** An agent may be named with several models: what one cannot do, the next may. */
export const withoutRepeats = (choices: readonly AgentChoice[]): readonly AgentChoice[] => {
  const names = choices.map(formatChoice);
  return choices.filter((_, at) => names.indexOf(names[at] as string) === at);
};
