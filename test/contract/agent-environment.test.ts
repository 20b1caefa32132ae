import { expect, it } from "vitest";
import { planAgentEnvironment } from "../../src/agents/environment.ts";
import { hosts } from "../../src/hosts/all.ts";

/** Every variable that says to one of our hosts that a client runs us. */
const marksOf = ({ variables }: (typeof hosts)[number]): string[] =>
  Object.values(variables).flat();

it.each(hosts)("an agent that we start does not think that $name runs it", (host) => {
  const marks = marksOf(host);
  expect(marks).not.toEqual([]);
  const env = Object.fromEntries(marks.map((name) => [name, "1"]));
  for (const agent of ["claude", "codex", "gemini", "qwen", "opencode", "copilot"])
    expect(planAgentEnvironment(agent, env, marks), agent).toEqual({});
});
