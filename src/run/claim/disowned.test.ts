import { describe, expect, it } from "vitest";
import { listDisowned } from "./disowned.ts";

const NAMES = ["notes.txt", "data/notes.txt", "tmp/a b.log", "src/it's, here.ts", "src/own.ts"];
const NONE: ReadonlySet<string> = new Set();

describe("a report disowns", () => {
  it.each([
    ["NOT_MINE: src/own.ts", ["src/own.ts"]],
    ["NOT_MINE: `src/own.ts`, ./tmp/a b.log", ["tmp/a b.log", "src/own.ts"]],
    ['**NOT_MINE:** "tmp/a b.log"', ["tmp/a b.log"]],
    ["NOT_MINE: tmp/", ["tmp/a b.log"]],
    ["NOT_MINE: notes.txt", ["notes.txt", "data/notes.txt"]],
    ["I left src/own.ts alone: it is not mine.", []],
    ["NOT_MINE:", []],
    ["NOT_MINE: , ", []],
    ["NOT_MINE: own", []],
  ])("%j: %j", (report, names) => {
    expect(listDisowned(`It works.\n${report}\nTASK_COMPLETE`, NAMES, NONE)).toEqual(names);
  });

  it("what it was asked about, in a sentence of its own", () => {
    const asked = new Set(["notes.txt", "src/own.ts"]);
    const said = (report: string): string[] => listDisowned(report, NAMES, asked);
    expect(said("notes.txt is not mine.")).toEqual(["notes.txt"]);
    expect(said("I left `src/own.ts` and data/notes.txt as they were.")).toEqual(["src/own.ts"]);
    expect(said("Changed src/own.ts.\nNothing is left to do.")).toEqual([]);
    expect(said("src/own.ts.bak is not ours")).toEqual([]);
  });
});
