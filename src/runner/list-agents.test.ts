import { expect, it } from "vitest";
import { describeFacts, factsOf, reportsCost } from "../agents/facts.ts";
import type { Agent, Place, Probe } from "../agents/port.ts";
import { type AgentState, isReady, listAgents, pickReady } from "./list-agents.ts";

const agent = (id: string, probe: (place: Place) => Promise<Probe>): Agent => ({
  id,
  name: id.toUpperCase(),
  driver: "acp",
  rights: () => "",
  probe,
  run: () => Promise.reject(new Error("not here")),
});

it("asks all at the same time, each with its own environment, and does not wait for slow ones", async () => {
  const seen: string[] = [];
  const namesIn = ({
    SMART_RALPH_DRIVEN,
    ...others
  }: Record<string, string | undefined>): string[] => {
    expect(SMART_RALPH_DRIVEN, "our mark").toBeTruthy();
    return Object.keys(others);
  };
  let answered = 0;
  let release = (): void => undefined;
  const both = new Promise<void>((resolve) => {
    release = resolve;
  });
  const states = await listAgents(
    [
      // The first answers only once the second has been asked.
      agent("claude", async ({ env }) => {
        seen.push(...namesIn(env));
        await both;
        return { installed: true, version: "2.1", loggedIn: true };
      }),
      agent("codex", ({ env }) => {
        seen.push(...namesIn(env));
        release();
        return Promise.resolve({ installed: false, why: "not on the PATH" });
      }),
      agent("slow", () => new Promise<Probe>(() => undefined)),
      agent("broken", () => Promise.reject(new Error("oops"))),
    ],
    { cwd: "/", env: { ANTHROPIC_API_KEY: "a", OPENAI_API_KEY: "o", SECRET: "s", MORE: "m" } },
    ["MORE"],
    () => answered++,
    300,
  );
  expect(seen).toEqual(["ANTHROPIC_API_KEY", "MORE", "OPENAI_API_KEY", "MORE"]);
  expect(answered).toBe(4);
  expect(states.map(({ id, installed, why }) => [id, installed, why])).toEqual([
    ["claude", true, undefined],
    ["codex", false, "not on the PATH"],
    ["slow", true, "it did not answer within 0.3 s; start it in a terminal"],
    ["broken", false, "oops"],
  ]);
  expect(states.map(isReady)).toEqual([true, false, false, false]);
});

const state = (id: string, probe: Partial<AgentState>): AgentState => ({
  id,
  name: id,
  driver: "headless",
  facts: undefined,
  installed: true,
  ...probe,
});
const all = [
  state("demo", { driver: "demo", loggedIn: true }),
  state("claude", { loggedIn: false, why: "log in" }),
  state("gemini", {}),
  state("codex", { loggedIn: true }),
  state("qwen", { installed: false }),
  state("odd", { why: "does not speak ACP" }),
  state("own", { version: "1.2", why: "log in, unless you have a provider of your own" }),
];

it.each([
  [[], ["codex"]],
  [
    ["claude", "gemini", "codex"],
    ["gemini", "codex"],
  ],
  [["demo"], ["demo"]],
  [["qwen", "odd", "absent"], []],
  [["own"], ["own"]],
])("of those chosen %j it takes %j", (chosen, taken) => {
  const choices = chosen.map((id) => ({ agent: id, model: "m" }));
  expect(pickReady(all, choices).map(({ agent: id }) => id)).toEqual(taken);
  for (const choice of pickReady(all, choices))
    if (chosen.length > 0) expect(choice).toHaveProperty("model", "m");
});

it("picks an agent whose login is unknown if none is known to be logged in", () => {
  expect(pickReady(all.slice(0, 3), [])).toEqual([{ agent: "gemini" }]);
  expect(pickReady(all.slice(0, 2), [])).toEqual([]);
});

it("says what is known of an agent", () => {
  expect(describeFacts(factsOf("codex"))).toBe(
    "reports tokens, not its cost; says when a limit ends; has its own sandbox",
  );
  expect(describeFacts(factsOf("toString"))).toBe("not known to us");
  expect(["claude", "codex", "kimi"].map(reportsCost)).toEqual([true, false, false]);
});
