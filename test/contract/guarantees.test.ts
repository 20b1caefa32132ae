import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { REPOSITORY } from "../program/child.ts";
import { hasTitle } from "../support/titles.ts";

interface Mutation {
  readonly promise: string;
  readonly what: string;
  readonly file: string;
  readonly find: string;
  readonly replace: string;
  readonly tests: readonly (readonly [file: string, name: string])[];
}

const read = (path: string): string => readFileSync(join(REPOSITORY, path), "utf8");
const mutations = JSON.parse(read("scripts/mutations.json")) as Mutation[];

interface Promised {
  readonly name: string;
  readonly tests: readonly (readonly [file: string, name: string])[];
  readonly breakages: readonly string[];
}

const promises: readonly Promised[] = read("docs/guarantees.md")
  .split("\n")
  .filter((line) => line.startsWith("| **"))
  .map((line) => {
    const [promise = "", proof = "", broken = ""] = line.replace(/^\| | \|$/g, "").split(" | ");
    return {
      name: /^\*\*(.+?)\.\*\*/.exec(promise)?.[1] ?? "",
      tests: proof.split("<br>").map((test) => {
        const [, file = "", name = ""] = /^`([^`]+)`: (.+)$/.exec(test) ?? [];
        return [file, name] as const;
      }),
      breakages: broken.split("; "),
    };
  });

const has = (file: string, title: string): boolean => hasTitle(join(REPOSITORY, file), title);

describe("each promise", () => {
  it.each(promises)("$name: has tests, which exist", ({ tests, name: promise }) => {
    expect(promise).not.toBe("");
    expect(tests.length).toBeGreaterThan(0);
    for (const [file, name] of tests) {
      // Suites that are not in every checkout.
      const [top = ""] = /^test\/(?:faults|hostile)/.exec(file) ?? [];
      if (top !== "" && !existsSync(join(REPOSITORY, top))) continue;
      expect(existsSync(join(REPOSITORY, file)), file).toBe(true);
      // It measures, and has no tests.
      if (file !== "bench/main.ts") expect(has(file, name), `${file}: ${name}`).toBe(true);
    }
  });

  it.each(promises)("$name: has been seen to fail", ({ name, breakages }) => {
    const own = mutations.filter(({ promise }) => promise === name).map(({ what }) => what);
    expect(own.sort()).toEqual([...breakages].sort());
    expect(own.length).toBeGreaterThan(0);
  });
});

describe("each breakage", () => {
  it.each(mutations.map((one) => [one.what, one] as const))(
    "%s: has its place in the source, and tests that exist",
    (_, { file, find, replace, tests, promise }) => {
      expect(read(file).split(find)).toHaveLength(2);
      expect(replace).not.toBe(find);
      expect(promises.map(({ name }) => name)).toContain(promise);
      expect(tests.length).toBeGreaterThan(0);
      for (const [at, name] of tests) expect(has(at, name), `${at}: ${name}`).toBe(true);
    },
  );
});
