import { describe, expect, it } from "vitest";
import { Refusal } from "../engine/refusal.ts";
import { fillRunDefaults, type StatedRunSettings } from "../run/run-settings.ts";
import { type GivenOptions, parseRunOptions, type RunOptions } from "./options.ts";

const parse = (given: GivenOptions, stated: StatedRunSettings = {}): RunOptions =>
  parseRunOptions(given, fillRunDefaults(stated));

const claude = { agent: "claude" };
const codex = { agent: "codex" };

it("every option has a default", () => {
  const options = parse({});
  expect(options).toMatchObject({
    parallel: 1,
    budget: {},
    taskBudget: {},
    limits: { wallMs: 3_600_000, silentMs: 900_000 },
    sandbox: "own",
    network: true,
    here: false,
    waits: true,
    mayAmend: false,
    output: "auto",
  });
  expect(Object.values(options.agents).flat()).toEqual([]);
});

it.each<[given: GivenOptions, stated: StatedRunSettings, expected: Partial<RunOptions>]>([
  [{ parallel: "4" }, { parallel: 2 }, { parallel: 4 }],
  [{}, { parallel: 2 }, { parallel: 2 }],
  [{ "max-cost": "5" }, { budget: { usd: 1, tokens: 7 } }, { budget: { usd: 5, tokens: 7 } }],
  [{ "max-tokens": "2m", "max-time": "6h" }, {}, { budget: { tokens: 2e6, ms: 21_600_000 } }],
  [
    { "max-task-cost": "$1" },
    { budget: { usd: 9 } },
    { budget: { usd: 9 }, taskBudget: { usd: 1 } },
  ],
  [
    { "max-task-time": "10m", "max-task-tokens": "50k" },
    {},
    { taskBudget: { ms: 600_000, tokens: 5e4 } },
  ],
  [{ sandbox: "bwrap", "no-network": true }, {}, { sandbox: "bwrap", network: false }],
  [{ sandbox: "none" }, { sandbox: "bwrap" }, { sandbox: "none" }],
  [{}, { sandbox: "podman", image: "x" }, { sandbox: "podman", image: "x" }],
  [
    { here: true, "allow-amend": true, json: true },
    {},
    { here: true, mayAmend: true, output: "json" },
  ],
  [{ plain: true }, {}, { output: "plain" }],
  [{ "no-wait": true }, {}, { waits: false }],
  [{ wait: true }, { waits: false }, { waits: true }],
  [{}, { waits: false }, { waits: false }],
  [{}, { wallMs: 5, silentMs: 3 }, { limits: { wallMs: 5, silentMs: 3, graceMs: 3000 } }],
])("%j over %j", (given, stated, expected) => {
  const options = parse(given, stated);
  for (const [key, value] of Object.entries(expected))
    expect(options[key as keyof RunOptions], key).toEqual(value);
});

describe("agents", () => {
  const none = { planning: [], execution: [], verification: [], review: [], merge: [] };
  const stated = { agents: [claude, codex], agentsFor: { ...none, review: [codex] } };

  it("a kind of work has its own agents first, then the others", () => {
    expect(parse({}, stated).agents).toMatchObject({
      execution: [claude, codex],
      review: [codex, claude],
    });
    const opus = { agent: "claude", model: "opus" };
    const { agents } = parse({}, { ...stated, agentsFor: { ...none, planning: [opus] } });
    expect(agents.planning).toEqual([opus, claude, codex]);
  });

  it("one agent may be named with several models; --model is for the first", () => {
    const [sonnet, opus] = ["sonnet", "opus"].map((model) => ({ agent: "claude", model }));
    const given = { agent: "claude:sonnet,claude:opus,claude:sonnet" };
    expect(parse(given, {}).agents.execution).toEqual([sonnet, opus]);
    expect(parse({ ...given, model: "opus" }, {}).agents.execution).toEqual([opus]);
  });

  it("those on the command line do everything", () => {
    const { agents } = parse({ agent: "gemini:flash, claude" }, stated);
    const both = [{ agent: "gemini", model: "flash" }, claude];
    for (const choices of Object.values(agents)) expect(choices).toEqual(both);
  });

  it("--model is for the first agent only", () => {
    const { agents } = parse({ model: "haiku" }, stated);
    expect(agents.execution).toEqual([{ agent: "claude", model: "haiku" }, codex]);
    expect(agents.review).toEqual([codex, { agent: "claude", model: "haiku" }]);
    expect(parse({ model: "haiku" }).model).toBe("haiku");
  });
});

it.each<[given: GivenOptions, says: string]>([
  [{ parallel: "0" }, "--parallel takes a number from 1 to 32"],
  [{ "max-cost": "much" }, "such as 5 or 2.50"],
  [{ "max-tokens": "2g" }, "500k or 2m"],
  [{ "max-time": "60" }, "90s, 10m or 6h"],
  [{ "max-task-time": "soon" }, "--max-task-time takes"],
  [{ agent: "claude,," }, "claude:opus,codex"],
  [{ model: "--yolo" }, "--model takes"],
  [{ sandbox: "jail" }, "none, bwrap, docker, podman"],
  [{ "no-network": true }, "without a sandbox"],
  [{ sandbox: "docker" }, "needs an image"],
  [{ wait: true, "no-wait": true }, "contradict"],
  [{ json: true, plain: true }, "contradict"],
])("%j is refused: %s", (given, says) => {
  const refuse = (): unknown => parse(given);
  expect(refuse).toThrow(Refusal);
  expect(refuse).toThrow(says);
});
