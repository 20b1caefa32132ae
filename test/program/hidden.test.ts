import { appendFileSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { Repository } from "../support/repository.ts";
import { IDLE, report } from "./claims.ts";
import { begin, refusalOf } from "./commit-run.ts";

const LIST = `- [ ] 1.1 Write it
  - **Files**: \`src/a.ts\`, \`src/b.ts\`, \`README.md\`
  - **Verify**: \`grep -q new src/a.ts src/b.ts\`
- [ ] 1.2 Then this
  - **Verify**: \`grep -q new src/a.ts src/b.ts\`
`;
const FILES = { "src/a.ts": "old\n", "other/c.ts": "old\n", "local.yml": "old\n" };
const exclude = ({ root }: Pick<Repository, "root">, line: string): void => {
  mkdirSync(join(root, ".git/info"), { recursive: true });
  appendFileSync(join(root, ".git/info/exclude"), `${line}\n`);
};

describe("work that git is told to overlook", () => {
  it.each(["assume-unchanged", "skip-worktree"])("is not committed: %s", (flag) => {
    const { place, write, git } = begin(LIST, { files: FILES });
    write({ "src/a.ts": "new\n" });
    git("update-index", `--${flag}`, "src/a.ts");
    expect(git("status", "--porcelain", "src")).toBe("");
    const refusal = refusalOf(place);
    expect(refusal).toMatch(
      new RegExp(`^1\\.1 hides src/a\\.ts from git: it is newly marked ${flag}\\.`),
    );
    const line = /Run `git (.*)`, commit/.exec(refusal)?.[1] ?? "";
    git(...line.split(" "));
    expect(refusalOf(place)).toMatch(/^1\.1 is not committed: src\/a\.ts\./);
    git("commit", "-qam", "it");
    expect(report(place)).toMatchObject({ ok: true });
  });

  it("is not committed if it is a file that was deleted", () => {
    const { place, git, root } = begin(LIST, { files: { ...FILES, "src/a.ts": "new\n" } });
    git("update-index", "--skip-worktree", "other/c.ts");
    rmSync(join(root, "other/c.ts"));
    expect(refusalOf(place)).toMatch(/^1\.1 hides other\/c\.ts from git/);
  });

  it("is found at the last task at the latest, whoever hid it", () => {
    const { place, git, commit, write } = begin(
      LIST.replace("b.ts`\n- [", "b.ts && git update-index --assume-unchanged other/c.ts`\n- ["),
      { files: FILES },
    );
    commit({ "src/a.ts": "new\n" });
    expect(report(place)).toMatchObject({ ok: true });
    write({ "other/c.ts": "hidden\n" });
    expect(refusalOf(place, "1.2")).toMatch(/^1\.2 hides other\/c\.ts from git/);
    git("update-index", "--no-assume-unchanged", "other/c.ts");
    git("commit", "-qam", "it");
    expect(report(place, "TASK_COMPLETE", "1.2")).toMatchObject({ ok: true });
  });

  it("is not committed if the repository's own exclude list ignores it since", () => {
    const { place, write, ...rest } = begin(LIST, { files: FILES });
    write({ "src/b.ts": "new\n", "src/more/d.ts": "new\n" });
    exclude(rest, "/src/b.ts");
    exclude(rest, "more/");
    expect(rest.git("status", "--porcelain", "src")).toBe("");
    expect(refusalOf(place)).toMatch(
      /^1\.1 hides src\/b\.ts from git: \.git\/info\/exclude:\d+ is a new rule that ignores it\. The same goes for src\/more\/d\.ts\./,
    );
  });

  it("is not committed if the user's own ignore file ignores it since", () => {
    const { place, write } = begin(LIST, { files: FILES });
    write({ "src/b.ts": "new\n", "../.config/git/ignore": "b.ts\n" });
    expect(refusalOf(place)).toMatch(/^1\.1 hides src\/b\.ts from git: \S*git\/ignore:1 /);
  });

  it.each([
    ["that hides itself", "*\n"],
    ["that its own list hides", "b.ts\n.gitignore\n"],
  ])("is not committed if a .gitignore %s ignores it", (_, text) => {
    const { place, write, git } = begin(LIST, { files: FILES });
    write({ "src/b.ts": "new\n", "src/.gitignore": text });
    expect(git("status", "--porcelain", "src")).toBe("");
    expect(refusalOf(place)).toMatch(/^1\.1 hides src\/\S+ from git: src\/\.gitignore:\d is a new/);
  });

  it("is not committed if its own commit ignores a file that it lists", () => {
    const { place, write, git } = begin(LIST, { files: FILES });
    write({ "src/b.ts": "new\n", ".gitignore": "b.ts\n" });
    git("add", "-A");
    git("commit", "-qm", "it");
    expect(git("status", "--porcelain", "src")).toBe("");
    expect(refusalOf(place)).toMatch(
      /^1\.1 hides src\/b\.ts from git: \.gitignore:1 is a new rule/,
    );
  });
});

describe("what git overlooks anyway", () => {
  it("does not count: a sparse checkout, and flags and rules from before", () => {
    const { place, commit, write } = begin(LIST, {
      files: { ...FILES, ".gitignore": "*.local\n" },
      before(repository) {
        repository.git("sparse-checkout", "set", "--no-cone", "/*", "!/other/");
        repository.git("update-index", "--skip-worktree", "local.yml");
        exclude(repository, "mine/");
      },
    });
    write({ "local.yml": "mine\n", "mine/x": "1", "src/b.local": "1" });
    commit({ "src/a.ts": "new\n" });
    expect(report(place)).toMatchObject({ ok: true });
    expect(report(place, IDLE, "1.2")).toMatchObject({ ok: true });
  });

  it("does not count: what is built, and what tools keep for themselves", () => {
    const { place, write, git } = begin(LIST, { files: { ...FILES, "README.md": "old\n" } });
    write({
      "src/a.ts": "new\n",
      ".gitignore": "dist/\nnode_modules/\n",
      "dist/app.js": "1",
      "node_modules/x/README.md": "1",
      ".pytest_cache/.gitignore": "*\n",
      ".pytest_cache/README.md": "1",
    });
    git("add", "-A");
    git("commit", "-qm", "it");
    expect(report(place)).toMatchObject({ ok: true });
    expect(report(place, IDLE, "1.2")).toMatchObject({ ok: true });
  });

  it("does not count: our own files, and the client's own settings", () => {
    const { place, write, commit, ...rest } = begin(LIST, { files: FILES });
    commit({ "src/a.ts": "new\n" });
    exclude(rest, ".claude/settings.local.json");
    exclude(rest, "*.lock");
    write({ ".claude/settings.local.json": "{}", "specs/demo/x.lock": "" });
    expect(report(place)).toMatchObject({ ok: true });
  });

  it("does not count where commits are not asked for", () => {
    const { place, write, ...rest } = begin(LIST, { files: FILES, settings: "commit: off" });
    write({ "src/b.ts": "new\n" });
    exclude(rest, "b.ts");
    expect(report(place)).toMatchObject({ ok: true });
  });

  it("does not count in a run that an older version began", () => {
    const { place, write, git, refs } = begin(LIST, { files: FILES });
    for (const ref of refs()) {
      const tag = git("cat-file", "tag", ref).replace(/,"overlooked":\{[^}]*\}/, "");
      writeFileSync(join(place.root, "tag"), `${tag}\n`);
      git("update-ref", ref, git("hash-object", "-t", "tag", "-w", "tag"));
      rmSync(join(place.root, "tag"));
    }
    write({ "src/a.ts": "new\n" });
    git("update-index", "--assume-unchanged", "src/a.ts");
    expect(report(place, IDLE)).toMatchObject({ ok: true });
  });
});
