import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { findPrice, parsePrice, type Price } from "./prices.ts";
import {
  defaultRunSettings,
  fillRunDefaults,
  parseRunSettings,
  RUN_SETTINGS,
  type StatedRunSettings,
} from "./run-settings.ts";
import { listSettings, type Setting } from "./setting.ts";
import { parseSettingsFile } from "./settings-file.ts";
import { SETTINGS } from "./settings.ts";

const nameOf = ({ name }: Setting): string => name;
const KEYS = listSettings(RUN_SETTINGS).map(nameOf);

const front = (...lines: readonly string[]): string => ["---", ...lines, "---", ""].join("\n");

it.each<[line: string, said: StatedRunSettings]>([
  ["agents: claude", { agents: [{ agent: "claude" }] }],
  ["agents: claude, codex", { agents: [{ agent: "claude" }, { agent: "codex" }] }],
  [
    "agents: [claude:opus, Codex]",
    { agents: [{ agent: "claude", model: "opus" }, { agent: "codex" }] },
  ],
  [
    "agents:\n  - opencode:anthropic/claude-x:beta\n  - opencode",
    { agents: [{ agent: "opencode", model: "anthropic/claude-x:beta" }, { agent: "opencode" }] },
  ],
  ["acp: [kimi=kimi acp]", { acp: [{ id: "kimi", command: ["kimi", "acp"] }] }],
  [
    `acp:\n  - my-agent = "/opt/My Agent/run" --acp`,
    { acp: [{ id: "my-agent", command: ["/opt/My Agent/run", "--acp"] }] },
  ],
  ["run_parallel: 4", { parallel: 4 }],
  ["run_max_cost: $5", { budget: { usd: 5 } }],
  ["run_max_tokens: 2m", { budget: { tokens: 2_000_000 } }],
  ["run_max_time: 6h", { budget: { ms: 21_600_000 } }],
  ["run_task_max_cost: 0.5", { taskBudget: { usd: 0.5 } }],
  ["run_wall: 2h", { wallMs: 7_200_000 }],
  ["run_silence: 90s", { silentMs: 90_000 }],
  ["run_busy: 30m", { busyMs: 1_800_000 }],
  ["run_wait: no", { waits: false }],
  ["run_awake: off", { awake: false }],
  ["run_min_free: 500MB", { minFree: 5e8 }],
  ["run_min_free: off", { minFree: 0 }],
  ["run_sandbox: bwrap", { sandbox: "bwrap" }],
  ["run_image: ghcr.io/me/agents:1", { image: "ghcr.io/me/agents:1" }],
  ["run_network: off", { network: false }],
  ["run_writable: [~/.cargo, /data/x]", { writable: ["~/.cargo", "/data/x"] }],
  ["run_env: [NPM_TOKEN, AWS_*]", { env: ["NPM_TOKEN", "AWS_*"] }],
  ["run_setup: npm ci && npm run build", { setup: "npm ci && npm run build" }],
  ["run_share: [node_modules, web/node_modules]", { share: ["node_modules", "web/node_modules"] }],
  ["notify: Notify-Me --now", { notify: "Notify-Me --now" }],
  ["notify_url: https://example.org/Hook", { notifyUrl: "https://example.org/Hook" }],
  [
    "prices: [gpt-5* 1.25 10 0.125]",
    { prices: [{ model: "gpt-5*", input: 1.25, output: 10, cached: 0.125 }] },
  ],
])("%s", (line, said) => {
  const { budget = {}, taskBudget = {}, ...rest } = said;
  expect(fillRunDefaults(parseRunSettings(front(line)))).toEqual({
    ...defaultRunSettings,
    ...rest,
    budget: { usd: undefined, tokens: undefined, ms: undefined, ...budget },
    taskBudget: { usd: undefined, tokens: undefined, ms: undefined, ...taskBudget },
  });
  expect(parseSettingsFile(front(line))).toMatchObject({ misread: [], unknown: [] });
});

it.each([
  "agents: [claude, ../evil]",
  "agents: claude:--yolo",
  "agent_planning: Opus 4",
  "acp: [kimi]",
  "acp: [kimi=]",
  "acp: [kimi=sh -c 'a' | b]",
  "acp: [a b=c]",
  "run_parallel: 0",
  "run_parallel: 33",
  "run_max_cost: lots",
  "run_max_time: 60",
  "run_wall: never",
  "run_sandbox: chroot",
  "run_image: --privileged",
  "run_network: maybe",
  "run_min_free: 5",
  "run_writable: [cargo]",
  "run_env: [A=B]",
  "run_share: [../other]",
  "run_share: [/etc]",
  "run_share: [.git]",
  "notify_url: file:///etc/passwd",
  "notify_url: javascript:alert(1)",
  "prices: [gpt-5 1]",
  "prices: [gpt-5 1 x]",
])("%s is not understood, and doctor reports it", (line) => {
  const file = parseSettingsFile(front(line));
  expect(file.misread.map(({ key }) => key)).toEqual([line.split(":")[0]]);
  const { budget: _, taskBudget: __, ...said } = fillRunDefaults(file.run);
  const { budget: ___, taskBudget: ____, ...none } = defaultRunSettings;
  // The valid items of a list still count.
  expect({ ...said, agents: [], acp: [] }).toEqual(none);
});

it("each kind of work may have its own agents", () => {
  const said = parseRunSettings(front("agent_review: codex:o9", "agent_merge: [a, b]"));
  expect(fillRunDefaults(said).agentsFor).toEqual({
    ...defaultRunSettings.agentsFor,
    review: [{ agent: "codex", model: "o9" }],
    merge: [{ agent: "a" }, { agent: "b" }],
  });
});

it("no setting has two meanings, and a file lists its settings of run", () => {
  const names = [RUN_SETTINGS, SETTINGS].flatMap((table) => listSettings(table)).map(nameOf);
  expect(names).toEqual([...new Set(names)]);
  const { runKeys, unknown } = parseSettingsFile(
    front("enabled: no", "notify: rm", "agents: [a, b]"),
  );
  expect(unknown).toEqual([]);
  expect(runKeys).toEqual([
    { key: "notify", said: "rm" },
    { key: "agents", said: "a, b" },
  ]);
});

it("every setting of run is read: an invalid value is reported", () => {
  for (const key of KEYS)
    expect(
      parseSettingsFile(front(`${key}: "="`)).misread.map((one) => one.key),
      key,
    ).toEqual(key === "run_setup" || key === "notify" || key === "run_share" ? [] : [key]);
});

it("never throws, whatever the file is", () => {
  const key = fc.constantFrom(...KEYS);
  fc.assert(
    fc.property(key, fc.string({ unit: "binary", maxLength: 100 }), (name, text) => {
      parseRunSettings(front(`${name}: ${text}`));
    }),
  );
});

describe("findPrice", () => {
  const prices = ["gpt* 1 1", "gpt-5* 2 2", "gpt-5 3 3", "* 9 9"].map(
    (line) => parsePrice(line) as Price,
  );
  it.each([
    ["gpt-5", 3],
    ["GPT-5", 3],
    ["gpt-5-mini", 2],
    ["gpt-4", 1],
    ["sonnet", 9],
    [undefined, 9],
  ])("%s", (model, input) => {
    expect(findPrice(prices, model)?.input).toBe(input);
    expect(findPrice(prices.toReversed(), model)?.input).toBe(input);
  });
  it("nothing fits", () => {
    expect(findPrice(prices.slice(0, 3), "sonnet")).toBeUndefined();
    expect(findPrice(prices.slice(0, 3), undefined)).toBeUndefined();
  });
});
