import { execFileSync } from "node:child_process";
import { describe, expect, it } from "vitest";
import { speckit } from "../support/editions.ts";
import { GIT_ENV } from "../support/repository.ts";
import { PATH } from "./child.ts";
import { type Flow, GOAL, makeFlow, makeGitFlow } from "./flow.ts";
import { fillFolder } from "./temporary.ts";

const OPTIONS = ".specify/init-options.json";
const BRANCHES = ".specify/extensions/git/git-config.yml";

const begin = (flow: Flow, ...args: string[]): unknown =>
  flow.typeJson("new", ...(args.length > 0 ? args : ["rate-limit", GOAL]))["spec"];

describe("a feature's number", () => {
  it("follows those of all folders, in use or archived, and of all branches", () => {
    const flow = makeGitFlow(speckit, {
      ".specify/specs/002-a/spec.md": "# A\n",
      "specs/003-b/spec.md": "# B\n",
      "specs/_archive/2026-11-01-004-c/spec.md": "# C\n",
      "specs/20260101-120000-d/spec.md": "# D\n",
    });
    expect(begin(flow)).toBe("005-rate-limit");
    flow.git.git("branch", "feat/007-elsewhere");
    flow.git.git("update-ref", "refs/remotes/origin/009-theirs", "HEAD");
    flow.git.git("branch", "20261231-235959-later");
    expect(begin(flow, "bulk-export", GOAL)).toBe("010-bulk-export");
  });

  it("is that of a branch that was made for it", () => {
    const flow = makeGitFlow(speckit, { "specs/001-a/spec.md": "# A\n" });
    flow.git.git("branch", "012-rate-limit");
    expect(begin(flow)).toBe("012-rate-limit");
    flow.git.git("switch", "-q", "-c", "014-whatever");
    expect(begin(flow, "bulk-export", GOAL)).toBe("014-bulk-export");
    expect(begin(flow, "third-one", GOAL), "014 is taken now").toBe("015-third-one");
    expect(begin(flow, "020-given", GOAL)).toBe("020-given");
  });

  it.each([
    ["feature_numbering", true],
    ["branch_numbering", true],
    ["feature_numbering", false],
  ])("is the date and time if %s says so (%s)", (key, isTime) => {
    const said = JSON.stringify({ [key]: isTime ? "timestamp" : "sequential", ai: "claude" });
    const flow = makeFlow(speckit, { [OPTIONS]: said, "specs/001-a/spec.md": "# A\n" });
    expect(begin(flow)).toMatch(isTime ? /^20\d{6}-[0-2]\d[0-5]\d[0-5]\d-rate-limit$/ : /^002-/);
    // Found without it, and by it.
    expect(flow.json(["status", "rate-limit"])["spec"]).toMatch(/-rate-limit$/);
  });

  it("counts if the options cannot be read", () => {
    expect(begin(makeFlow(speckit, { [OPTIONS]: "{" }))).toBe("001-rate-limit");
  });
});

describe("a feature's branch", () => {
  const config = (text: string): Record<string, string> => ({ [BRANCHES]: text });

  it.each([
    [`branch_template: ""\nbranch_prefix: "" # none\n`, "001-rate-limit"],
    [`branch_template: "{author}/{app}/{number}-{slug}"\n`, "test/project/001-rate-limit"],
    ["branch_prefix: features\n", "features/001-rate-limit"],
    ["branch_template: '{slug}/{number}'\n", "001-rate-limit"],
    ["branch_template: [\n", "001-rate-limit"],
  ])("is called as its git extension says: %j", (text, branch) => {
    const flow = makeGitFlow(speckit, config(text));
    flow.git.git("config", "user.name", "Test");
    flow.prompt("start", "rate-limit", GOAL, "--branch");
    expect(flow.git.git("branch", "--show-current")).toBe(branch);
    // By which Spec Kit, and we without a pointer, find it again.
    fillFolder(flow.root, { ".specify/.current-feature": "", ".specify/feature.json": "{}" });
    expect(flow.json(["status"])["spec"]).toBe("001-rate-limit");
  });

  it("counts only branches of the same place", () => {
    const flow = makeGitFlow(speckit, config("branch_prefix: web\n"));
    for (const branch of ["api/007-a", "web/003-b"])
      execFileSync("git", ["branch", branch], { cwd: flow.root, env: { PATH, ...GIT_ENV } });
    expect(begin(flow)).toBe("004-rate-limit");
  });
});
