import { createHash } from "node:crypto";
import { statSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { fillFolder, makeFolder } from "../../test/program/temporary.ts";
import type { CodeIndex, IndexedFile } from "./code-index.ts";
import { type Effort, readEntries } from "./scan-files.ts";
import type { SourceFile } from "./source-files.ts";
import { SCANNER } from "./summary.ts";

const OLD = 1_600_000_000;
const TEXT = "/** First. */\nexport const a = 1;\n";

function makeFile(text: string | Uint8Array = TEXT): { root: string; source: () => SourceFile } {
  const root = fillFolder(makeFolder(), { "a.ts": "" });
  const path = join(root, "a.ts");
  writeFileSync(path, text);
  utimesSync(path, OLD, OLD);
  const source = (): SourceFile => {
    const { size, mtimeMs } = statSync(path);
    return { path: "a.ts", category: "source", size, mtime: Math.floor(mtimeMs) };
  };
  return { root, source };
}

const indexOf = (files: readonly IndexedFile[], fields: Partial<CodeIndex> = {}): CodeIndex => ({
  updated: "2026-01-01T00:00:00Z",
  scanner: SCANNER,
  directories: [],
  specs: [],
  files,
  ...fields,
});

describe("an entry", () => {
  it("has the content's hash and summary", () => {
    const { root, source } = makeFile();
    const hash = createHash("sha256").update(TEXT).digest("hex").slice(0, 8);
    expect(readEntries(root, [source()], undefined, "normal")).toEqual([
      { ...source(), hash, summary: "First" },
    ]);
  });

  it("is made from UTF-16 too", () => {
    const { root, source } = makeFile(Buffer.from(`\uFEFF${TEXT}`, "utf16le"));
    expect(readEntries(root, [source()], undefined, "normal")[0]?.summary).toBe("First");
  });

  it("is not made from what is binary, gone or huge", () => {
    const { root, source } = makeFile(Buffer.from([1, 0, 2]));
    const files = [source(), { ...source(), path: "gone.ts" }, { ...source(), size: 1 << 30 }];
    expect(readEntries(root, files, undefined, "normal")).toEqual([]);
  });
});

describe("what an earlier index says", () => {
  /** The text is replaced by one of the same length, and the entry before it marked. */
  function again(
    effort: Effort,
    { touch = false, fields = {}, mark = {} as Partial<IndexedFile> } = {},
  ): IndexedFile | undefined {
    const { root, source } = makeFile();
    const [first] = readEntries(root, [source()], undefined, "normal") as [IndexedFile];
    const old = indexOf([{ ...first, summary: "Kept", ...mark }], fields);
    writeFileSync(join(root, "a.ts"), TEXT.replace("First", "Other"));
    if (!touch) utimesSync(join(root, "a.ts"), OLD, OLD);
    return readEntries(root, [source()], old, effort)[0];
  }

  it.each<[effort: Effort, what: string, options: Parameters<typeof again>[1], summary: string]>([
    ["normal", "a changed content", {}, "Other"],
    ["changed", "the same size and time", {}, "Kept"],
    ["changed", "another time", { touch: true }, "Other"],
    ["changed", "no hash", { mark: { hash: "" } }, "Other"],
    ["changed", "another scanner", { fields: { scanner: SCANNER + 1 } }, "Other"],
    ["changed", "a time after the index", { fields: { updated: "2020-01-01T00:00:00Z" } }, "Other"],
    ["changed", "an index without a time", { fields: { updated: "" } }, "Other"],
    ["force", "the same size and time", {}, "Other"],
    ["quick", "another time", { touch: true }, "Kept"],
  ])("with %s, at %s", (effort, _, options, summary) => {
    expect(again(effort, options)?.summary).toBe(summary);
  });

  it("stays word for word if only the time differs", () => {
    const { root, source } = makeFile();
    const [first] = readEntries(root, [source()], undefined, "normal") as [IndexedFile];
    utimesSync(join(root, "a.ts"), OLD + 60, OLD + 60);
    for (const effort of ["normal", "changed", "quick"] as const) {
      expect(readEntries(root, [source()], indexOf([first]), effort)).toEqual([first]);
    }
  });

  it("is kept by a quick scan, but not its hash, if the size differs", () => {
    const { root, source } = makeFile();
    const [first] = readEntries(root, [source()], undefined, "normal") as [IndexedFile];
    writeFileSync(join(root, "a.ts"), `${TEXT}\n`);
    expect(readEntries(root, [source()], indexOf([first]), "quick")).toEqual([
      { ...source(), hash: "", summary: "First" },
    ]);
    expect(readEntries(root, [source()], undefined, "quick")[0]).toMatchObject({
      hash: "",
      summary: "",
    });
  });
});
