import { expect, it } from "vitest";
import { factsOf } from "../../agents/facts.ts";
import type { AgentState } from "../../runner/list-agents.ts";
import { resultOf } from "./agents.ts";

const state = (id: string, name: string, probe: Partial<AgentState>): AgentState => ({
  id,
  name,
  driver: "headless",
  facts: factsOf(id),
  installed: true,
  ...probe,
});
const states = [
  state("claude", "Claude Code", { version: "2.1.325", loggedIn: true }),
  state("codex", "Codex", { loggedIn: false, why: "not logged in;\u001b[2J run codex login" }),
  state("opencode", "OpenCode", { installed: false, why: "opencode is not on the PATH" }),
  state("kimi", "kimi", { driver: "acp" }),
];

const PROCESSES = "own PID namespace";

it("lists each agent, what it lacks and what to do, and says which one run uses", () => {
  const { ok, text, json } = resultOf({ colour: false }, states, [], PROCESSES);
  expect(ok).toBe(true);
  expect(text.split("\n")).toEqual([
    "✓ claude    Claude Code 2.1.325, logged in · reports its cost; says when a limit ends",
    "! codex     Codex, not logged in · reports tokens, not its cost; says when a limit ends; has its own sandbox",
    expect.stringMatching(/^ {12}→ not logged in;[^\u001b]* run codex login$/),
    "- opencode  OpenCode: not installed",
    "            → opencode is not on the PATH",
    "✓ kimi      kimi, login not known · not known to us",
    "",
    "Without --agent, run uses claude, the first that is ready. smart-ralph init --agent kimi chooses another.",
    "processes: own PID namespace",
  ]);
  expect(json).toMatchObject({
    taken: ["claude"],
    processes: PROCESSES,
    agents: [
      { id: "claude", ready: true, version: "2.1.325", reports: "cost", limits: "time" },
      { id: "codex", ready: false, loggedIn: false, sandbox: true },
      { id: "opencode", installed: false, ready: false },
      { id: "kimi", driver: "acp", ready: true, reports: null },
    ],
  });
});

it("follows the settings, and fails if no agent is ready", () => {
  const chosen = [{ agent: "kimi", model: "k2" }, { agent: "claude" }];
  expect(resultOf({ colour: false }, states, chosen, PROCESSES).text).toContain(
    "run uses kimi:k2, then claude, as your settings say.",
  );
  const none = resultOf(
    { colour: false },
    states,
    [{ agent: "codex" }, { agent: "kluade" }],
    PROCESSES,
  );
  expect(none.ok).toBe(false);
  expect(none.text).toContain("Your settings name kluade, which is not a known agent");
  expect(none.text).toContain("None of the agents in your settings is ready: codex, kluade.");
  expect(resultOf({ colour: false }, [], [], PROCESSES).text).toContain("No agent is ready");
});
