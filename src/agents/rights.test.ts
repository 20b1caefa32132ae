import { describe, expect, it } from "vitest";
import { agents } from "./all.ts";
import { commandLine as claude } from "./claude/command-line.ts";
import { commandLine as codex } from "./codex/command-line.ts";
import { commandLine as copilot } from "./copilot/command-line.ts";
import type { Work } from "./port.ts";

const WORK: Work = {
  cwd: "/",
  env: {},
  prompt: "",
  instructions: "",
  writable: [],
  limits: { wallMs: 1, silentMs: 1, graceMs: 1 },
  record: () => undefined,
};

const LINES: Readonly<Record<string, (work: Work) => readonly string[]>> = {
  claude: (work) => claude(work, false).command,
  codex: (work) => codex(work, []).command,
  copilot: (work) => copilot(work, undefined).command,
};

describe.each([false, true])("in our sandbox: %s", (isBoxed) => {
  it.each(agents)("$id says the rights that it is really started with", ({ id, rights }) => {
    const said = rights(isBoxed);
    expect(said).not.toBe("");
    const command = LINES[id]?.(isBoxed ? { ...WORK, wrap: (inner) => inner } : WORK);
    if (command !== undefined) expect(command).toEqual(expect.arrayContaining(said.split(" ")));
    else expect(said).toMatch(/^its mode yolo$|^every permission/);
  });
});

it("says more of those that do without any check", () => {
  const of = (id: string, isBoxed: boolean): string =>
    agents.find((one) => one.id === id)?.rights(isBoxed) ?? "";
  expect(of("claude", false)).toBe("--dangerously-skip-permissions");
  expect(of("codex", false)).toBe("--sandbox=workspace-write");
  expect(of("codex", true)).toBe("--dangerously-bypass-approvals-and-sandbox");
});
