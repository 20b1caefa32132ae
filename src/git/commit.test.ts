import { execFileSync } from "node:child_process";
import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { makeFolder } from "../../test/program/temporary.ts";
import { specum } from "../../test/support/editions.ts";
import { GIT_ENV, makeRepository, type Repository } from "../../test/support/repository.ts";
import { layTrap } from "../../test/support/trap.ts";
import { openProject } from "../store/project.ts";
import { type Spec, specAt } from "../store/spec.ts";
import { commitFiles, isTracked } from "./commit.ts";
import { readWorkTree } from "./working-tree.ts";

const specIn = (root: string): Spec => specAt(openProject(specum, root), join(root, "specs/demo"));

beforeEach(() => {
  for (const [name, value] of Object.entries(GIT_ENV)) vi.stubEnv(name, value);
});

afterEach(() => {
  vi.unstubAllEnvs();
});

/** A repository with a spec whose folder is a trap. */
function makeTrapped(): Repository & { spec: Spec; marker: string } {
  const repository = makeRepository();
  repository.commit({ "specs/demo/tasks.md": "- [ ] 1.1 a\n" });
  return {
    ...repository,
    spec: specIn(repository.root),
    marker: layTrap(join(repository.root, "specs/demo")),
  };
}

describe("a spec's folder that looks like a bare repository", () => {
  it("is one to git itself, which runs what its config says", () => {
    const { root, marker } = makeTrapped();
    execFileSync("git", ["status"], { cwd: join(root, "specs/demo"), stdio: "pipe" });
    expect(existsSync(marker)).toBe(true);
  });

  it("is part of the project's repository to us, and nothing is run", () => {
    const { root, git, spec, marker } = makeTrapped();
    expect(isTracked(spec, "tasks.md")).toBe(true);
    expect(isTracked(spec, "HEAD")).toBe(false);
    writeFileSync(join(root, "specs/demo/notes.md"), "");
    git("add", "specs/demo/notes.md");
    expect(readWorkTree(spec.project.root)?.dirty ?? []).toEqual(["specs/demo/notes.md"]);
    expect(commitFiles(spec, ["notes.md"], "docs")).toMatchObject({ kind: "committed" });
    expect(git("log", "-1", "--format=%s", "--name-only")).toBe("docs\n\nspecs/demo/notes.md");
    expect(existsSync(marker)).toBe(false);
  });

  it("is nothing without a repository around it", () => {
    const root = makeFolder();
    mkdirSync(join(root, "specs/demo"), { recursive: true });
    const marker = layTrap(join(root, "specs/demo"));
    const spec = specIn(root);
    expect(isTracked(spec, "tasks.md")).toBe(false);
    expect(readWorkTree(spec.project.root)?.dirty ?? []).toEqual([]);
    expect(commitFiles(spec, ["config"], "docs")).toEqual({ kind: "nothing" });
    expect(existsSync(marker)).toBe(false);
  });
});

describe("a repository in the spec's own folder", () => {
  /** As it may come from an archive, with a filter that runs when git looks at a file. */
  function makeNested(): Repository & { spec: Spec; marker: string } {
    const outer = makeRepository();
    outer.commit({ "specs/demo/tasks.md": "- [ ] 1.1 a\n", "specs/demo/notes.md": "a\n" });
    const folder = join(outer.root, "specs/demo");
    const marker = join(outer.home, "ran");
    const inner = (...args: string[]) =>
      execFileSync("git", args, { cwd: folder, env: { ...process.env }, stdio: "pipe" });
    inner("init", "-q");
    inner("config", "filter.x.clean", `touch '${marker}'; cat`);
    writeFileSync(join(folder, ".git/info/attributes"), "* filter=x\n");
    return { ...outer, spec: specIn(outer.root), marker };
  }

  it("is not the spec's: what is committed goes to the one around it", () => {
    const { git, write, spec, marker } = makeNested();
    write({ "specs/demo/notes.md": "b\n" });
    expect(readWorkTree(spec.project.root)?.dirty ?? []).toEqual(["specs/demo/notes.md"]);
    expect(commitFiles(spec, ["notes.md"], "docs")).toMatchObject({ kind: "committed" });
    expect(git("log", "-1", "--format=%s", "--name-only")).toBe("docs\n\nspecs/demo/notes.md");
    expect(existsSync(marker)).toBe(false);
  });

  it("is not asked which files it has", () => {
    const { spec, marker } = makeNested();
    expect(isTracked(spec, "tasks.md")).toBe(false);
    expect(existsSync(marker)).toBe(false);
  });

  it("is not used if there is no repository around it", () => {
    const root = makeFolder();
    mkdirSync(join(root, "specs/demo"), { recursive: true });
    writeFileSync(join(root, "specs/demo/tasks.md"), "- [ ] 1.1 a\n");
    execFileSync("git", ["init", "-q"], { cwd: join(root, "specs/demo"), stdio: "pipe" });
    expect(commitFiles(specIn(root), ["tasks.md"], "docs")).toEqual({ kind: "nothing" });
    expect(readWorkTree(root)?.dirty ?? []).toEqual([]);
  });
});

describe("whether git tracks a file", () => {
  it("is known if git says so", () => {
    const { root, commit, write } = makeRepository();
    commit({ "specs/demo/tasks.md": "- [ ] 1.1 a\n" });
    write({ "specs/demo/new.md": "" });
    const spec = specIn(root);
    expect([isTracked(spec, "tasks.md"), isTracked(spec, "new.md")]).toEqual([true, false]);
  });

  it("is not so where git does not answer", () => {
    const { root, commit } = makeRepository();
    commit({ "specs/demo/tasks.md": "- [ ] 1.1 a\n" });
    const spec = specIn(root);
    writeFileSync(join(root, ".git/index"), "broken");
    expect(isTracked(spec, "tasks.md")).toBe(false);
    vi.stubEnv("PATH", "");
    expect(isTracked(spec, "tasks.md")).toBe(false);
    expect(isTracked(specIn(makeFolder()), "tasks.md")).toBe(false);
  });
});

describe("our commit", () => {
  const HOOKS = [
    "pre-commit",
    "prepare-commit-msg",
    "commit-msg",
    "post-commit",
    "post-index-change",
    "reference-transaction",
  ];

  it("runs no hooks of the repository, wherever they are", () => {
    const { root, git, write, commit } = makeRepository();
    commit({ "specs/demo/tasks.md": "- [ ] 1.1 a\n" });
    const log = join(makeFolder(), "log");
    for (const folder of [".git/hooks", "own-hooks"]) {
      mkdirSync(join(root, folder), { recursive: true });
      for (const hook of HOOKS) {
        writeFileSync(join(root, folder, hook), `#!/bin/sh\necho ${hook} >>'${log}'\n`);
        chmodSync(join(root, folder, hook), 0o755);
      }
    }
    for (const path of [undefined, "own-hooks"]) {
      if (path !== undefined) git("config", "core.hooksPath", path);
      write({ "specs/demo/tasks.md": `- [x] 1.1 ${path ?? "a"}\n` });
      expect(commitFiles(specIn(root), ["tasks.md"], "docs").kind).toBe("committed");
      expect(existsSync(log), "no hook ran").toBe(false);
    }
    commit({}, "theirs");
    const ran = new Set(readFileSync(log, "utf8").trim().split("\n"));
    expect([...ran].sort(), "they run for everyone else").toEqual([...HOOKS].sort());
  });
});
