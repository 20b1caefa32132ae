import { array, assert, constantFrom, nat, property, record, string } from "fast-check";
import { describe, expect, it } from "vitest";
import { CATEGORIES } from "./classify.ts";
import {
  type CodeIndex,
  compareFiles,
  formatIndex,
  type IndexedFile,
  mergeFiles,
  parseIndex,
  type Scope,
} from "./code-index.ts";

const file = (path: string, fields: Partial<IndexedFile> = {}): IndexedFile => ({
  path,
  category: "source",
  size: 1,
  mtime: 1,
  hash: "aaaaaaaa",
  summary: "",
  ...fields,
});
const paths = (files: readonly IndexedFile[]): string[] => files.map(({ path }) => path);
const EMPTY: CodeIndex = { updated: "", scanner: 1, directories: [], specs: [], files: [] };

describe("the file", () => {
  const text = string({ unit: "grapheme" });
  const anyFile = record({
    path: text,
    category: constantFrom(...CATEGORIES),
    size: nat(),
    mtime: nat(),
    hash: text,
    summary: text,
  });
  const anySpec = record({
    name: text,
    path: text,
    phase: text,
    taskIndex: nat(),
    totalTasks: nat(),
    standing: text,
    goal: text,
  });
  const anyIndex = record({
    updated: text,
    scanner: nat(),
    directories: array(text),
    specs: array(anySpec),
    files: array(anyFile),
  });

  it("reads back as it was written", () => {
    assert(
      property(anyIndex, (index) => {
        expect(parseIndex(formatIndex(index))).toEqual(index);
      }),
    );
  });

  it("has one line for each entry, and fields that older versions read", () => {
    const index: CodeIndex = {
      ...EMPTY,
      updated: "2026-01-02T03:04:05Z",
      directories: ["./specs", "./other"],
      specs: [
        {
          name: "a",
          path: "./specs/a",
          phase: "completed",
          taskIndex: 2,
          totalTasks: 2,
          standing: "completed",
          goal: "",
        },
      ],
      files: [file("a.ts"), file("b.ts")],
    };
    const written = formatIndex(index);
    expect(written.split("\n").filter((line) => line.includes('"hash"'))).toHaveLength(2);
    expect(JSON.parse(written)).toMatchObject({
      version: "1.0",
      updated: "2026-01-02T03:04:05Z",
      directories: [
        { path: "./specs", specsCount: 1, isDefault: true },
        { path: "./other", specsCount: 0, isDefault: false },
      ],
      specs: [{ name: "a", path: "./specs/a", phase: "completed", taskIndex: 2, totalTasks: 2 }],
    });
  });

  it("keeps what others put into it", () => {
    const once = formatIndex(EMPTY, '{"theirs":{"a":[1]},"files":[7],"updated":"old"}');
    expect(JSON.parse(once)).toMatchObject({ theirs: { a: [1] }, files: [], updated: "" });
    expect(formatIndex(EMPTY, once)).toBe(once);
  });

  it.each([
    ["nothing", ""],
    ["no JSON", "{"],
    ["a list", "[]"],
    ["an older version's", '{"version":"1.0","updated":"x","specs":[]}'],
  ])("that contains %s is not an index", (_, content) => {
    expect(parseIndex(content)).toBeUndefined();
  });

  it("may be an older scanner's, with more fields", () => {
    const older = { ...file("a.ts"), names: ["a"] };
    expect(parseIndex(JSON.stringify({ scanner: 1, files: [older] }))?.files).toMatchObject([
      file("a.ts"),
    ]);
  });

  it("invalid entries are skipped", () => {
    const entries = [
      file("a.ts"),
      null,
      7,
      { path: "b.ts" },
      { ...file("c.ts"), category: "nonsense" },
      { ...file("e.ts"), size: "1" },
    ];
    const found = parseIndex(
      JSON.stringify({ files: entries, specs: [{ name: "a" }], scanner: "x" }),
    );
    expect(found).toEqual({ ...EMPTY, scanner: 0, files: [file("a.ts")] });
  });
});

describe("compareFiles", () => {
  it("names what is new, changed and gone", () => {
    const old = [file("same"), file("touched"), file("edited"), file("gone"), file("moved")];
    const now = [
      file("same"),
      file("touched", { mtime: 9 }),
      file("edited", { hash: "bbbbbbbb" }),
      file("moved", { category: "tests" }),
      file("new"),
    ];
    const { added, changed, gone } = compareFiles(old, now);
    expect([added, changed, gone].map(paths)).toEqual([["new"], ["edited", "moved"], ["gone"]]);
  });
});

describe("mergeFiles", () => {
  const old = [file("src/a"), file("src/b"), file("lib/c"), file("lib/t", { category: "tests" })];
  const all: Scope = { folder: "", types: [], isExcluded: () => false };
  it.each<[what: string, scope: Scope, found: string[], files: string[]]>([
    ["everything", all, ["src/a", "new"], ["new", "src/a"]],
    ["a folder", { ...all, folder: "src" }, ["src/a"], ["lib/c", "lib/t", "src/a"]],
    ["half a name", { ...all, folder: "sr" }, [], ["lib/c", "lib/t", "src/a", "src/b"]],
    ["a type", { ...all, types: ["tests"] }, [], ["lib/c", "src/a", "src/b"]],
    [
      "a file that is of another type now",
      { ...all, types: ["docs"] },
      ["src/a"],
      ["lib/c", "lib/t", "src/a", "src/b"],
    ],
  ])("%s", (_, scope, found, files) => {
    expect(
      paths(
        mergeFiles(
          old,
          found.map((path) => file(path)),
          scope,
        ),
      ),
    ).toEqual(files);
  });
});
