import { expect, it } from "vitest";
import { attacksOn, findDenial, write } from "./denial.ts";
import { runCapped } from "./growth.ts";
import { type Literal, readSource } from "./literals.ts";

/** Expressions that only ever see a part of a line, by how they begin: at that length nothing takes long. */
const SHORT: Readonly<Record<string, number>> = {
  // The 80 characters in front of "depends on".
  "(?<![\\w.-])(?:(?:T-?\\d+": 80,
  "(?:T-?\\d+(?:\\.\\d+)*[A-Za-z]?|V(?:F": 80,
  // The beginning of a rule of Codex.
  "^\\s*prefix_rule\\(.*": 300,
};
const shortest = ({ regex }: Literal): number | undefined =>
  Object.entries(SHORT).find(([start]) => regex.source.startsWith(start))?.[1];

const literals = readSource();
const long = literals.filter((one) => shortest(one) === undefined);
const short = literals.filter((one) => shortest(one) !== undefined);

it("no expression takes more than linear time", { timeout: 120_000 }, () => {
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
