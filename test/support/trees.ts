import { execFileSync } from "node:child_process";
import { join } from "node:path";
import { vi } from "vitest";
import { openProject } from "../../src/store/project.ts";
import { type Spec, specAt } from "../../src/store/spec.ts";
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

/** The user's own tree with a spec in it, and the vault in a home of its own. Git knows no name here. */
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
