import { mkdirSync, mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, it, vi } from "vitest";
import { describeProcesses } from "../exec/namespace.ts";
import { EXIT_0 } from "../tasks/verify/expectation.ts";
import { type Surroundings, openSurroundings, surroundAgent, surroundVerify } from "./surround.ts";

const base = realpathSync(mkdtempSync(join(tmpdir(), "smart-ralph-surround-")));
afterAll(() => rmSync(base, { recursive: true, force: true }));
const home = join(base, "home");
const tree = join(base, "tree");
for (const folder of [tree, join(home, ".codex"), join(home, ".cargo")])
  mkdirSync(folder, { recursive: true });

const env = { HOME: home, PATH: "/bin", OPENAI_API_KEY: "k", SECRET: "s", TOKEN: "t" };
const surroundings: Surroundings = {
  sandbox: "own",
  namespace: { kind: "none", why: "a test" },
  options: { env: ["TOKEN"], writable: ["~/.cargo"] },
  env,
  programs: [],
};

it("an agent gets the allowed variables and those of its attempt, and no container by default", () => {
  expect(surroundAgent(surroundings, "codex", tree, { SMART_RALPH_MARK: "run" })).toEqual({
    env: { HOME: home, PATH: "/bin", OPENAI_API_KEY: "k", TOKEN: "t", SMART_RALPH_MARK: "run" },
  });
});

it("in a container, it may write to its own folders, the tree and what the settings name", () => {
  const sandbox = { kind: "docker", network: false, image: "me/image", ownPids: true } as const;
  const { wrap } = surroundAgent({ ...surroundings, sandbox }, "codex", tree, { MARK: "m" });
  const line = wrap?.(["codex", "exec"], ["OPENAI_API_KEY", "TOKEN", "MARK"]) ?? [];
  const written = line.filter((word) => word.startsWith("type=bind") && !/readonly/.test(word));
  expect(written.map((word) => /source=([^,]*)/.exec(word)?.[1])).toEqual([
    tree,
    join(home, ".codex"),
    join(home, ".cargo"),
  ]);
  expect(line.join(" ")).toContain("--env OPENAI_API_KEY --env TOKEN --env MARK");
  expect(line.slice(-3)).toEqual(["me/image", "codex", "exec"]);
});

it("a Verify gets no API key, because it runs code that an agent wrote", async () => {
  for (const [name, value] of Object.entries({ ...env, PATH: process.env["PATH"] ?? "" }))
    vi.stubEnv(name, value);
  try {
    const runner = surroundVerify(surroundings, { SMART_RALPH_MARK: "run" });
    const check = {
      command: 'echo "$HOME|$OPENAI_API_KEY|$SECRET|$TOKEN|$SMART_RALPH_MARK"',
      expects: EXIT_0,
    };
    const { tail } = await runner.run(check, { root: tree, commit: "c", timeoutMs: 20_000 });
    expect(tail).toBe(`${home}|||t|run`);
  } finally {
    vi.unstubAllEnvs();
  }
});

it("an agent has a PID namespace of its own, around bwrap too; its own sandbox stays", () => {
  const enclose = (command: readonly string[]): string[] => ["unshare", ...command];
  const own = { ...surroundings, namespace: { kind: "own", enclose } } as const;
  expect(surroundAgent(own, "codex", tree, {})).toEqual({ env: expect.anything(), enclose });
  const none = surroundAgent({ ...own, sandbox: "none" }, "codex", tree, {});
  expect([none.enclose, none.wrap?.(["codex"], [])]).toEqual([enclose, ["codex"]]);
  const options = { env: [], writable: [], network: true, namespace: false, image: undefined };
  const bwrap = { kind: "bwrap", network: true, image: "" } as const;
  const open = (ownPids: boolean) =>
    openSurroundings({ ...options, sandbox: "bwrap" }, env, [], () => ({
      kind: "ok",
      sandbox: { ...bwrap, ownPids },
    }));
  expect(describeProcesses(open(true).namespace)).toBe("own PID namespace (bwrap)");
  expect(describeProcesses(open(false).namespace)).toMatch(/^found by search \(bwrap has no/);
  expect(surroundAgent(open(true), "codex", tree, {}).enclose).toBeUndefined();
  const sandbox = { ...bwrap, ownPids: true };
  expect(surroundAgent({ ...own, sandbox }, "codex", tree, {}).enclose).toBe(enclose);
});

it("a missing sandbox ends the run before it begins", () => {
  const options = { env: [], writable: [], network: true, namespace: false, image: undefined };
  const missing = { kind: "missing", why: "bwrap is not installed", fix: "install it" } as const;
  const open = (kind: "own" | "none" | "bwrap") =>
    openSurroundings({ ...options, sandbox: kind }, env, [], () => missing);
  expect(() => open("bwrap")).toThrow("--sandbox bwrap: bwrap is not installed");
  expect(open("none").sandbox).toBe("none");
  expect(open("own").sandbox).toBe("own");
});
