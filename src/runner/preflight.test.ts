import { describe, expect, it } from "vitest";
import { factsOf } from "../agents/facts.ts";
import { defaultRunSettings } from "../run/run-settings.ts";
import type { Diagnostic } from "../text/diagnostic.ts";
import { describePreflight, planPreflight, type PreflightFacts, refusalIn } from "./preflight.ts";

const agent = (
  id: string,
  rights: string,
  more: object = {},
): PreflightFacts["agents"][number] => ({
  id,
  name: id,
  driver: "headless",
  facts: factsOf(id),
  installed: true,
  version: "1.0.0",
  loggedIn: true,
  rights,
  ...more,
});
const CLAUDE = agent("claude", "--dangerously-skip-permissions");
const CODEX = agent("codex", "--sandbox=workspace-write");
const { sandbox, network, minFree } = defaultRunSettings;
const OPTIONS = { here: false, sandbox, network, minFree, budget: { usd: 5 } };
const FINE: PreflightFacts = {
  refused: [],
  options: OPTIONS,
  git: { isThere: true, identity: "Ana <ana@example.com>" },
  uncommitted: [],
  agents: [CODEX],
  spaces: [{ path: "/p", free: 9e9 }],
  programs: { missing: [], isLost: false },
  outlook: {
    open: 2,
    done: 0,
    obstacle: null,
    provable: ["1.1", "1.2"],
    byDesign: [],
    vain: [],
    unchecked: [],
  },
  costUnknown: undefined,
};
const MISSING = [{ program: "foo", tasks: ["1.1"] }];
const NOT_HERE = /^the Verify of 1\.1 begins with foo, which is not on the PATH$/;
const refused = (code: string): Diagnostic => ({
  severity: "error",
  code,
  message: "no",
  fix: "do",
});
const find = (more: Partial<PreflightFacts>, code: string): Diagnostic[] =>
  planPreflight({ ...FINE, ...more }).filter((row) => row.code === code);

describe("each row says whether it is fine, and what to do if not", () => {
  it.each<[string, Partial<PreflightFacts>, string, Diagnostic["severity"], RegExp]>([
    ["a name", {}, "identity", "ok", /by Ana <ana@example.com>/],
    [
      "no name",
      { git: { isThere: true, identity: undefined } },
      "identity",
      "info",
      /by Smart Ralph </,
    ],
    ["no git", { git: { isThere: false, identity: undefined } }, "git", "info", /not in a git/],
    ["a clean tree", {}, "tree", "ok", /^nothing/],
    ["one file", { uncommitted: ["a"] }, "tree", "info", /^1 uncommitted file of yours is not in/],
    [
      "files here",
      { uncommitted: ["a", "b"], options: { ...OPTIONS, here: true } },
      "tree",
      "info",
      /are where the run works: a, b$/,
    ],
    ["an agent", {}, "agent", "ok", /^codex 1\.0\.0 is ready$/],
    [
      "an unknown login",
      { agents: [{ ...CODEX, loggedIn: undefined as never }] },
      "agent",
      "info",
      /login is not known/,
    ],
    [
      "not logged in",
      { agents: [{ ...CODEX, loggedIn: false, why: "codex login" }] },
      "agent",
      "info",
      /^codex is left out/,
    ],
    [
      "its own sandbox",
      {},
      "rights",
      "ok",
      /^in its own sandbox: codex \(--sandbox=workspace-write\)$/,
    ],
    [
      "no sandbox",
      { agents: [CLAUDE] },
      "rights",
      "info",
      /^no sandbox: claude \(--dangerously-skip-permissions\) can do whatever/,
    ],
    [
      "one of two",
      { agents: [CLAUDE, CODEX] },
      "rights",
      "info",
      /^no sandbox: claude .*; in its own sandbox: codex/,
    ],
    [
      "its own is off",
      { options: { ...OPTIONS, sandbox: "none" } },
      "rights",
      "info",
      /^no sandbox: codex/,
    ],
    [
      "a box",
      { agents: [CLAUDE], options: { ...OPTIONS, sandbox: "bwrap", network: false } },
      "rights",
      "ok",
      /^in bwrap, without network: claude \(--danger/,
    ],
    ["space", {}, "disk", "ok", /^9\.0 GB are free/],
    [
      "a full disk",
      { spaces: [...FINE.spaces, { path: "/v", free: 1e8 }] },
      "disk",
      "error",
      /^only 100 MB are free at \/v, and run_min_free is 1\.0 GB$/,
    ],
    ["a program", { programs: { missing: MISSING, isLost: false } }, "programs", "info", NOT_HERE],
    ["no way", { programs: { missing: MISSING, isLost: true } }, "programs", "error", NOT_HERE],
    ["proof", {}, "proof", "ok", /all can be proven/],
    [
      "no proof",
      {
        outlook: {
          ...FINE.outlook!,
          provable: ["1.1"],
          unchecked: [{ id: "1.2", why: "it has no Verify" }],
        },
      },
      "proof",
      "info",
      /1 has no Verify/,
    ],
    ["a budget", {}, "budget", "ok", /^at most \$5/],
    ["no budget", { options: { ...OPTIONS, budget: {} } }, "budget", "info", /^no budget is set$/],
    [
      "one that does not hold",
      { costUnknown: "codex does not report" },
      "budget",
      "warning",
      /^codex does not/,
    ],
  ])("%s", (_, more, code, severity, message) => {
    const rows = find(more, code);
    expect(rows).toEqual([
      expect.objectContaining({ severity, message: expect.stringMatching(message) }),
    ]);
    if (severity === "info" || severity === "error") expect(rows[0]?.fix).toBeTruthy();
  });
});

it("nothing is said of what does not matter", () => {
  const rows = planPreflight({
    ...FINE,
    git: { isThere: false, identity: undefined },
    agents: [agent("demo", "", { driver: "demo" })],
    outlook: undefined,
    spaces: [{ path: "/", free: Infinity }],
  });
  expect(rows.map(({ code }) => code)).toEqual(["git", "agent", "budget"]);
});

describe("in a run", () => {
  it("what is fine is one line, each note another, and what the run says itself is left to it", () => {
    const rows = planPreflight({
      ...FINE,
      agents: [CLAUDE],
      uncommitted: ["a"],
      options: { ...OPTIONS, budget: {} },
    });
    const lines = describePreflight(rows);
    expect(lines).toEqual([
      "ok: git, identity, agent, disk, proof",
      "no sandbox: claude (--dangerously-skip-permissions) can do whatever you can → --sandbox bwrap, docker or podman confines agents",
      "no budget is set → --max-cost 10, --max-tokens 5m or --max-time 8h",
    ]);
  });

  it.each([
    [[], undefined],
    [["disk"], { kind: "refused", message: "no", fix: "do" }],
    [["agent", "disk"], { kind: "unavailable", message: "no (and 1 more: --dry-run shows all)" }],
  ])("an error keeps it from beginning: %j", (codes, refusal) => {
    const found = refusalIn(planPreflight({ ...FINE, refused: codes.map(refused) }));
    if (refusal === undefined) expect(found).toBeUndefined();
    else expect(found).toMatchObject(refusal);
  });
});
