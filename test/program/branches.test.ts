import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { EXIT } from "../../src/apps/cli/command.ts";
import type { Edition } from "../../src/layouts/layout.ts";
import { layouts, specum } from "../support/editions.ts";
import { fewOf } from "../support/full.ts";
import { GIT_ENV } from "../support/repository.ts";
import { type Flow, GOAL, makeFlow, makeGitFlow, nameIn, openFlow, startFlow } from "./flow.ts";
import { expectRefusal, pointerOf, userFileOf } from "./support.ts";
import { besides } from "./temporary.ts";

const branchIn = (layout: Edition): string =>
  layout.id === "speckit" ? "001-rate-limit" : "feat/rate-limit";

const worktrees = (flow: Flow): number => flow.git.git("worktree", "list").split("\n").length;

/** Nothing of a spec, no branch and no work tree. */
function expectNothing(flow: Flow): void {
  const specs = join(flow.root, flow.layout.specsDirs[0]);
  const left = existsSync(specs) ? readdirSync(specs).filter((name) => name[0] !== ".") : [];
  expect(left).toEqual([]);
  expect(besides(flow)).toEqual(["project"]);
}

describe.each(fewOf(layouts))("$plugin start --branch", (layout) => {
  it("works on its own branch, even an existing one", () => {
    const flow = makeGitFlow(layout);
    expect(flow.prompt("start", "rate-limit", GOAL, "--branch")).toContain(
      `On branch ${branchIn(layout)}.`,
    );
    expect(flow.git.git("branch", "--show-current")).toBe(branchIn(layout));
    const other = makeGitFlow(layout);
    other.git.git("branch", branchIn(layout));
    startFlow(layout, other, "--branch");
    expect(other.git.git("branch", "--show-current")).toBe(branchIn(layout));
  });

  it("from a detached HEAD too", () => {
    const flow = makeGitFlow(layout);
    flow.git.git("checkout", "-q", "--detach");
    startFlow(layout, flow, "--branch");
    expect(flow.git.git("branch", "--show-current")).toBe(branchIn(layout));
  });

  it("leaves nothing if the branch cannot be created", () => {
    const outside = makeFlow(layout);
    expectRefusal(
      outside.type("start", "rate-limit", GOAL, "--branch"),
      EXIT.refused,
      /could not create the branch: this is not a git repository; try without --branch/,
    );
    expectNothing(outside);
    const merging = makeGitFlow(layout);
    writeFileSync(join(merging.root, ".git/MERGE_HEAD"), merging.git.git("rev-parse", "HEAD"));
    expectRefusal(merging.type("start", "rate-limit", "--branch"), EXIT.refused, /merging/);
    expectNothing(merging);
    expect(merging.git.git("branch", "--list", branchIn(layout))).toBe("");
  });

  it("is what the settings may say, which the refusal names", () => {
    const settings = { [userFileOf(layout)]: "---\nbranch: branch\n---\n" };
    expect(startFlow(layout, makeGitFlow(layout, settings)).git.git("branch")).toContain(
      branchIn(layout),
    );
    const outside = makeFlow(layout, settings);
    expectRefusal(
      outside.type("start", GOAL),
      EXIT.refused,
      /set branch: none in \S+smart-ralph\S+\.md$/m,
    );
  });
});

describe.each(fewOf(layouts))("$plugin start --quick", (layout) => {
  const current = (flow: Flow): string => flow.git.git("branch", "--show-current");
  const quick = (flow: Flow, ...more: string[]): string =>
    flow.prompt("start", "rate-limit", GOAL, "--quick", ...more);

  it("works on a branch of its own, with what the user has not committed still in place", () => {
    const flow = makeGitFlow(layout);
    flow.git.write({ "code.ts": "changed\n", "new.ts": "new\n" });
    flow.git.git("add", "new.ts");
    expect(quick(flow)).toContain(
      `\n\nOn its own branch ${branchIn(layout)}, made from main; --no-branch would have stayed there.\n\n`,
    );
    expect(current(flow)).toBe(branchIn(layout));
    expect(flow.git.git("status", "--porcelain", "--untracked-files=no")).toBe(
      " M code.ts\nA  new.ts",
    );
    expect(flow.git.git("rev-parse", "main")).toBe(flow.git.git("rev-parse", "HEAD"));
  });

  it.each([
    ["--no-branch", {}, ["--no-branch"]],
    ["branch: none", { [userFileOf(layout)]: "---\nbranch: none\n---\n" }, []],
  ])("stays where the user is with %s", (_, files, options) => {
    const flow = makeGitFlow(layout, files);
    expect(quick(flow, ...options)).not.toContain("ranch");
    expect(current(flow)).toBe("main");
  });

  it("is the only mode that does", () => {
    const flow = makeGitFlow(layout);
    expect(flow.prompt("start", "rate-limit", GOAL)).not.toContain("ranch");
    expect(current(flow)).toBe("main");
    const asked = makeGitFlow(layout, {
      [userFileOf(layout)]: "---\nquick_mode_default: true\n---\n",
    });
    asked.prompt("start", "rate-limit", GOAL);
    expect(current(asked)).toBe(branchIn(layout));
  });

  it("goes on where it is if there can be no branch, and says so", () => {
    const outside = makeFlow(layout);
    expect(quick(outside)).toContain(
      "No branch of its own: this is not a git repository. Working on what is checked out.",
    );
    const unborn = makeFlow(layout, {}, GIT_ENV);
    unborn.git.git("init", "-q", "-b", "main");
    expect(quick(unborn)).toContain("No branch of its own: the repository has no commit yet.");
    expect(current(unborn)).toBe("main");
    // Somebody's work is on it.
    const taken = makeGitFlow(layout);
    taken.git.git("branch", branchIn(layout));
    expect(quick(taken)).toMatch(
      /No branch of its own: fatal: a branch named '\S+' already exists\./,
    );
    expect(current(taken)).toBe("main");
    const there = makeGitFlow(layout);
    there.git.git("switch", "-q", "-c", branchIn(layout));
    expect(quick(there)).toContain(`On branch ${branchIn(layout)}.`);
  });

  it("takes a detached HEAD along", () => {
    const flow = makeGitFlow(layout);
    flow.git.git("checkout", "-q", "--detach");
    expect(quick(flow)).toContain(`On branch ${branchIn(layout)}.`);
    expect(current(flow)).toBe(branchIn(layout));
  });

  it("is told if two wishes contradict each other", () => {
    const ran = makeGitFlow(layout).type("start", GOAL, "--branch", "--no-branch");
    expectRefusal(ran, EXIT.usage, /--branch and --no-branch contradict each other/);
  });
});

describe.each(fewOf(layouts))("$plugin start --worktree", (layout) => {
  it("creates the spec in its own work tree, where a session continues with it", () => {
    const settings = "---\ntasks_size: fine\n---\n";
    const flow = makeGitFlow(layout, {
      [layout.settingsFile]: settings,
      ".gitignore": ".claude\n",
    });
    const made = flow.typeJson("start", "rate-limit", GOAL, "--worktree");
    const top = join(flow.root, "..", `project-${nameIn(layout)}`);
    expect(made).toMatchObject({ code: 0, created: true, worktree: top });
    expect(flow.git.git("-C", top, "branch", "--show-current")).toBe(branchIn(layout));
    expect(existsSync(join(flow.root, layout.specsDirs[0]))).toBe(false);
    expect(existsSync(join(flow.root, pointerOf(layout)))).toBe(false);

    const there = openFlow(layout, top, nameIn(layout), join(flow.root, ".."), GIT_ENV);
    expect(there.state()).toMatchObject({ phase: layout.phases[0]?.name, granularity: "fine" });
    expect(there.state()).not.toHaveProperty("sessionId");
    expect(readFileSync(join(top, layout.settingsFile), "utf8")).toBe(settings);
    expect(there.typeJson("start")).toMatchObject({ code: 0, spec: nameIn(layout) });
    expect(there.state()).toHaveProperty("sessionId");
    expect(there.git.git("status", "--porcelain", "--untracked-files=all")).toMatch(
      /^\?\? \S+\.progress\.md$/,
    );
  });

  it("finds the project's folder in a repository that has it further down", () => {
    const flow = makeGitFlow(layout, { "packages/api/x.ts": "" });
    const root = join(flow.root, "packages/api");
    writeFileSync(join(flow.root, "packages/api/y.ts"), "");
    const inside = openFlow(layout, root, nameIn(layout), join(flow.root, ".."), GIT_ENV);
    inside.git.write({
      [`${layout.specsDirs[0]}/${layout.id === "speckit" ? "007" : "old"}-x/`]: "",
    });
    inside.git.write({ [pointerOf(layout)]: "x\n" });
    const made = inside.typeJson("start", "rate-limit", GOAL, "--worktree");
    expect(made).toMatchObject({ code: 0 });
    expect(String(made["worktree"])).toMatch(/project-[\w-]+\/packages\/api$/);
    expect(existsSync(String(made["path"]))).toBe(true);
  });

  it("leaves nothing if refused", () => {
    const outside = makeFlow(layout);
    expectRefusal(outside.type("start", GOAL, "--worktree"), EXIT.refused, /not a git repository/);
    expectNothing(outside);
    const flow = makeGitFlow(layout);
    const bad = flow.type("start", "rate-limit", GOAL, "--worktree", "--specs-dir", "nowhere");
    expectRefusal(bad, EXIT.usage, /nowhere is not one of/);
    expect(worktrees(flow)).toBe(1);
    expect(flow.git.git("branch", "--list", branchIn(layout))).toBe("");
    expectNothing(flow);
  });

  it("removes the work tree if the spec cannot be created in it", () => {
    const name = nameIn(layout);
    const flow = makeGitFlow(layout, { [`${layout.specsDirs[0]}/${name}`]: "a file in its place" });
    flow.git.git("rm", "-q", `${layout.specsDirs[0]}/${name}`);
    expect(flow.type("start", name, "--worktree").code).toBe(EXIT.refused);
    expect(worktrees(flow)).toBe(1);
    expect(flow.git.git("branch", "--list", branchIn(layout))).toBe("");
    expect(besides(flow)).toEqual(["project"]);
  });
});

it("a repository without a commit has no work trees, and says so", () => {
  const flow = makeFlow(specum, {}, GIT_ENV);
  flow.git.git("init", "-q");
  expect(flow.type("start", GOAL, "--worktree").err).toMatch(/could not create the worktree/);
  expectNothing(flow);
});
