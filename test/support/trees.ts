import { execFileSync } from "node:child_process";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, vi } from "vitest";
import { writeCheckpoint } from "../../src/git/checkpoint.ts";
import { keepOutOfGit } from "../../src/git/exclude.ts";
import { formatEntry } from "../../src/run/journal-lines.ts";
import { startLoop } from "../../src/run/loop.ts";
import { closeTrunk, openTrunk } from "../../src/runner/trees/open-trunk.ts";
import type { Trunk } from "../../src/runner/trees/trunk.ts";
import { openProject } from "../../src/store/project.ts";
import { type Spec, specAt } from "../../src/store/spec.ts";
import { appendToVault, writeAgreement, writeRecord } from "../../src/store/vault.ts";
import { PATH } from "../program/child.ts";
import { fillFolder, makeFolder } from "../program/temporary.ts";
import { specum } from "./editions.ts";
import { GIT_ENV, makeRepository, type Repository } from "./repository.ts";

export const AT = "2026-11-16T09:00:00.000Z";

export const TREE_TASKS = `- [ ] 1.1 one
  - **Verify**: \`test -f one.txt\`
- [ ] 1.2 two
  - **Verify**: \`test -f two.txt\`
`;

/** The user's own tree with a spec in it, and the vault in a separate home. Git has no user name here. */
export interface Ground {
  readonly repository: Repository;
  readonly home: Spec;
  readonly vault: string;
}

export function makeGround(files: Readonly<Record<string, string>> = {}): Ground {
  const vault = makeFolder();
  vi.stubEnv("HOME", vault);
  vi.stubEnv("XDG_STATE_HOME", "");
  vi.stubEnv("GIT_CONFIG_NOSYSTEM", "1");
  const repository = makeRepository();
  repository.commit({ "a.txt": "a\n", "specs/demo/tasks.md": TREE_TASKS, ...files });
  return { repository, vault, home: specIn(repository.root) };
}

export const specIn = (root: string, name = "demo"): Spec => {
  const project = openProject(specum, root);
  return specAt(project, join(project.specsDirs[0], name));
};

/** Git in a run's tree, as an agent would use it. */
export const gitIn = (top: string, ...args: string[]): string =>
  execFileSync("git", args, {
    cwd: top,
    encoding: "utf8",
    stdio: "pipe",
    env: { PATH, HOME: top, ...GIT_ENV },
  }).trimEnd();

/** An agent's work: files, committed. Returns the commit. */
export function commitIn(top: string, files: Readonly<Record<string, string>>, subject: string) {
  fillFolder(top, files);
  gitIn(top, "add", "-A");
  gitIn(top, "commit", "-q", "-m", subject);
  return gitIn(top, "rev-parse", "HEAD");
}

/** A run that was started in a client: state, record and journal. */
export function beginRun(spec: Spec, more: object = {}): void {
  const state = { phase: "execution", runToken: "t1", commitSpec: true, ...more };
  writeFileSync(spec.state, JSON.stringify(state));
  writeRecord(spec, { token: "t1" });
  writeAgreement(spec, { commands: ["test -f one.txt"], tasks: ["1.1"] });
  const loop = startLoop("client", {}, undefined, { at: AT, runId: "r1" });
  const line = formatEntry({ at: AT, event: "start", loop });
  appendToVault(spec, line);
  writeFileSync(spec.journal, line);
  keepOutOfGit(spec);
}

export const refusalOf = (work: () => unknown): { message: string; fix: string } => {
  try {
    work();
  } catch (error) {
    return error as { message: string; fix: string };
  }
  throw new Error("nothing was refused");
};

export const TICKED = TREE_TASKS.replace("[ ]", "[x]");

/** A run that has done one of two tasks. */
export function runOne(ground: Ground): Trunk {
  beginRun(ground.home);
  const trunk = openTrunk(ground.home, AT);
  writeCheckpoint(trunk.spec, "1.1", 1, AT);
  commitIn(trunk.top, { "one.txt": "1\n" }, "one");
  writeFileSync(trunk.spec.tasks, TICKED);
  writeFileSync(trunk.spec.progress, "# Progress: demo\n\nwhat was learned\n");
  writeFileSync(join(trunk.spec.folder, ".inbox.jsonl"), "{}\n");
  closeTrunk(trunk);
  return trunk;
}

export const headOf = ({ repository }: Ground): string => repository.git("rev-parse", "HEAD");

/** No branch, folder or vault entry is left of the run's own tree. */
export function expectNothingLeft({ repository }: Ground, trunk: Trunk): void {
  expect(repository.git("branch", "--list", "smart-ralph/*")).toBe("");
  expect(repository.git("worktree", "list", "--porcelain").match(/^worktree /gm)).toHaveLength(1);
  expect(existsSync(dirname(trunk.top))).toBe(false);
  expect(repository.refs().filter((ref) => ref.includes("@"))).toEqual([]);
}

/** When a process was started; empty if the system does not say. */
export const startedOf = (pid: number): string => {
  try {
    return (
      readFileSync(`/proc/${pid}/stat`, "utf8")
        .replace(/^.*\) /s, "")
        .split(" ")[19] ?? ""
    );
  } catch {
    return "";
  }
};
