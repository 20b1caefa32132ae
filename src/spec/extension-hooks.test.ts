import { describe, expect, it } from "vitest";
import { parseHooks } from "./extension-hooks.ts";

/** As PyYAML writes it. */
const FILE = `installed:
- git
- check
settings:
  auto_execute_hooks: true
hooks:
  before_plan:
  - extension: git
    command: speckit.git.commit
    enabled: true
    optional: true
    priority: 10
    prompt: Commit outstanding changes before planning, so that the plan can be taken
      back?
    description: Auto-commit
    condition: null
  - extension: check
    command: speckit.check.run
    enabled: true
    optional: false
    priority: 5
    prompt: Execute speckit.check.run?
    description: 'Checks: all of them'
    condition: ''
`;

const hook = (lines: string): string =>
  `hooks:\n  after_tasks:\n  - extension: git\n    command: speckit.git.commit\n${lines}`;

describe("parseHooks", () => {
  it("gives those of an event, by priority", () => {
    expect(parseHooks(FILE, "before_plan")).toEqual([
      {
        extension: "check",
        command: "speckit.check.run",
        optional: false,
        about: "Checks: all of them",
      },
      {
        extension: "git",
        command: "speckit.git.commit",
        optional: true,
        about: "Commit outstanding changes before planning, so that the plan can be taken back?",
      },
    ]);
    expect(parseHooks(FILE, "after_plan")).toEqual([]);
    expect(parseHooks(FILE, "constructor")).toEqual([]);
  });

  it.each<[what: string, lines: string, count: number]>([
    ["that says no more", "", 1],
    ["that is off", "    enabled: false\n", 0],
    ["that is off in quotes, which is not off", '    enabled: "false"\n', 1],
    ["with a condition", "    condition: env.CI is set\n", 0],
    ["with an empty condition", "    condition: ''\n", 1],
    ["with a priority that is none", "    priority: first\n", 1],
  ])("takes or leaves one %s", (_, lines, count) => {
    expect(parseHooks(hook(lines), "after_tasks")).toHaveLength(count);
  });

  it.each([
    ["nothing", ""],
    ["no hooks", "installed: [git]\n"],
    ["broken text", "hooks: [\n"],
    ["a mapping for the list", "hooks:\n  after_tasks:\n    extension: git\n    command: x\n"],
    ["a command that is more than a name", hook("").replace("speckit.git.commit", "a; rm -rf /")],
    ["an extension that is a path", hook("").replace("extension: git", "extension: ../git")],
    ["no command", hook("").replace(/^.*command.*\n/m, "")],
  ])("finds none in %s", (_, text) => {
    expect(parseHooks(text, "after_tasks")).toEqual([]);
  });
});
