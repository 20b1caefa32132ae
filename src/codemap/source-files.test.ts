import { mkdirSync, renameSync, rmSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { fillFolder, makeFolder } from "../../test/program/temporary.ts";
import { makeRepository, ODD_NAMES } from "../../test/support/repository.ts";
import { listSourceFiles } from "./source-files.ts";

const list = (root: string, isOwn: (path: string) => boolean = () => false) =>
  listSourceFiles(root, isOwn, () => true);
const paths = (root: string): string[] => list(root).files.map(({ path }) => path);

describe("in a repository", () => {
  it("lists what is tracked and what is new, not what is ignored, generated or gone", () => {
    const { root, commit, write } = makeRepository();
    commit({
      "src/a.ts": "1",
      "src/gone.ts": "1",
      "build/tool.ts": "1",
      "gen/api.ts": "1",
      "lib/other.ts": "1",
      "data.json": "{}",
      ".gitignore": "ignored/\n*.local.ts\n",
      ".gitattributes": "gen/** linguist-generated=true\nlib/** linguist-vendored\n",
    });
    write({
      "src/new.ts": "1",
      "ignored/x.ts": "1",
      "src/x.local.ts": "1",
      "node_modules/a.js": "1",
    });
    rmSync(join(root, "src/gone.ts"));
    const { files, by, other, cut } = list(root);
    expect(files.map(({ path }) => path).sort()).toEqual([
      "build/tool.ts",
      "src/a.ts",
      "src/new.ts",
    ]);
    expect({ by, cut }).toEqual({ by: "git", cut: false });
    // data.json, .gitignore, .gitattributes, node_modules, and the two that are marked.
    expect(other).toBe(6);
  });

  it("looks only below the project, and takes odd names as they are", () => {
    const { root, commit } = makeRepository();
    const odd = Object.fromEntries(
      ODD_NAMES.map((name) => [`app/docs/${name.replace(/\.txt$/, "")}.md`, "1"]),
    );
    commit({ ...odd, "app/a.ts": "1", "elsewhere.ts": "1" });
    const below = paths(join(root, "app"));
    expect(below.sort()).toEqual(
      ["a.ts", ...Object.keys(odd).map((name) => name.slice("app/".length))].sort(),
    );
  });

  it("follows no link", () => {
    const { root, home, commit } = makeRepository();
    fillFolder(home, { "secret/s.ts": "1" });
    commit({ "src/a.ts": "1", "moved/s.ts": "1" });
    symlinkSync(join(home, "secret/s.ts"), join(root, "src/link.ts"));
    symlinkSync("a.ts", join(root, "src/inner.ts"));
    // Git still has moved/s.ts, which is now outside.
    rmSync(join(root, "moved"), { recursive: true });
    symlinkSync(join(home, "secret"), join(root, "moved"));
    expect(paths(root)).toEqual(["src/a.ts"]);
  });

  it("that ignores the project, looks into its folders", () => {
    const { root, commit } = makeRepository();
    commit({ ".gitignore": "inner/\n" });
    fillFolder(root, { "inner/a.ts": "1" });
    const { files, by } = list(join(root, "inner"));
    expect(files.map(({ path }) => path)).toEqual(["a.ts"]);
    expect(by).toBe("walk");
  });
});

describe("without a repository", () => {
  it("skips output, hidden folders, code of others and links", () => {
    const outside = fillFolder(makeFolder(), { "s.ts": "1" });
    const root = fillFolder(makeFolder(), {
      "a.ts": "12345",
      "src/deep/b.ts": "1",
      "node_modules/a/i.js": "1",
      "build/c.ts": "1",
      "target/c.rs": "1",
      ".hidden/c.ts": "1",
      ".eslintrc.json": "1",
      "picture.png": "1",
    });
    symlinkSync(outside, join(root, "linked"));
    symlinkSync(join(outside, "s.ts"), join(root, "link.ts"));
    const { files, by, other } = list(root);
    expect(files.map(({ path, size, category }) => [path, size, category])).toEqual([
      [".eslintrc.json", 1, "config"],
      ["a.ts", 5, "source"],
      ["src/deep/b.ts", 1, "source"],
    ]);
    expect({ by, other }).toEqual({ by: "walk", other: 1 });
  });

  it("ends if folders are too deep, and leaves out what is ours", () => {
    const root = makeFolder();
    const deep = join(root, ...Array<string>(60).fill("d"));
    mkdirSync(deep, { recursive: true });
    fillFolder(root, { "specs/a.md": "1", "b.md": "1" });
    fillFolder(deep, { "c.md": "1" });
    const { files, other } = list(root, (path) => path.startsWith("specs/"));
    expect(files.map(({ path }) => path)).toEqual(["b.md"]);
    expect(other).toBe(0);
    renameSync(deep, join(root, "near"));
    expect(paths(root)).toContain("near/c.md");
  });
});
