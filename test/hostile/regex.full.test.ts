import { expect, it } from "vitest";
import { ID_SHAPE } from "../../src/tasks/ids.ts";
import { ID } from "../../src/tasks/references.ts";
import { REPOSITORY } from "../program/child.ts";
import { attacksOn, findDenial, write } from "./denial.ts";
import { runCapped } from "./growth.ts";
import { findLiterals, type Literal, readLiterals } from "./literals.ts";

/** Expressions that only ever see the end of a line, by how they begin: at that length nothing takes long. */
const SHORT: Readonly<Record<string, number>> = {
  // The 80 characters in front of "depends on".
  "(?<![\\w.-])(?:(?:T-?\\d+": 80,
  "(?:T-?\\d+(?:\\.\\d+)*[A-Za-z]?|V(?:F": 80,
};
const shortest = ({ regex }: Literal): number | undefined =>
  Object.entries(SHORT).find(([start]) => regex.source.startsWith(start))?.[1];

/** Of these lists of words any one will do. */
const WORDS = { FIX: ["fix"], TIDY: ["tidy"] };
const literals = readLiterals(REPOSITORY, { ID, ID_SHAPE, ...WORDS });
const long = literals.filter((one) => shortest(one) === undefined);
const short = literals.filter((one) => shortest(one) !== undefined);

it("no expression takes more than linear time", { timeout: 120_000 }, () => {
  expect(long.length).toBeGreaterThan(150);
  expect(long.map(findDenial).filter((denial) => denial !== undefined)).toEqual([]);
});

it("those that only see a little end at that length", () => {
  expect(short.length).toBe(Object.keys(SHORT).length);
  for (const one of short) {
    for (const attack of attacksOn(one.regex)) {
      const text = write(attack, shortest(one) as number);
      runCapped(() => text.replace(one.regex, ""));
    }
  }
});

it.each([/^\W*FAIL\b/m, /^(?:\w+\s?)*$/])(
  "finds that %s is slow",
  { timeout: 120_000 },
  (regex) => {
    expect(findDenial({ place: "here", regex })?.milliseconds).toBeGreaterThan(100);
  },
);

it.each([/^\s+x/, /[^\]]*\]?/, /(?<!\d)\d+$/, /^(?:---|\.\.\.)\s*$/])("lets %s pass", (regex) => {
  expect(findDenial({ place: "here", regex })).toBeUndefined();
});

it("reads expressions off the source, and nothing else", () => {
  const source = [
    "// a comment /no/",
    'const a = "/no/" + b / c / d;',
    "const e = /[/]\\/x/giu.test(`/no/`); /* /no/ */",
    'f(new RegExp(String.raw`(a)`, "g"), (g) => /h/);',
    "if (i) return /j/.test(k); const returned = returns / l / m;",
  ].join("\n");
  expect(findLiterals(source)).toEqual([
    { line: 3, source: "/[/]\\/x/giu" },
    { line: 4, source: 'new RegExp(String.raw`(a)`, "g")' },
    { line: 4, source: "/h/" },
    { line: 5, source: "/j/" },
  ]);
});
