import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { dirname, extname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { REPOSITORY } from "../program/child.ts";

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

/** Names of tests come from tables too: what a test file reads is next to it. */
function textsBeside(file: string): string {
  const texts: string[] = [];
  const walk = (folder: string): void => {
    for (const name of readdirSync(folder)) {
      const path = join(folder, name);
      if (statSync(path).isDirectory()) walk(path);
      else if ([".ts", ".json"].includes(extname(name))) texts.push(readFileSync(path, "utf8"));
    }
  };
  walk(join(REPOSITORY, dirname(file)));
  return texts.join("\n");
}

const known = new Map<string, string>();
function has(file: string, name: string): boolean {
  const folder = dirname(file);
  const text = known.get(folder) ?? textsBeside(file);
  known.set(folder, text);
  return text.includes(name);
}

describe("each promise", () => {
  it.each(promises)("$name: has tests, which exist", ({ tests, name: promise }) => {
    expect(promise).not.toBe("");
    expect(tests.length).toBeGreaterThan(0);
    for (const [file, name] of tests) {
      // Suites that are not in every checkout.
      const [top = ""] = /^test\/(?:faults|hostile)/.exec(file) ?? [];
      if (top !== "" && !existsSync(join(REPOSITORY, top))) continue;
      expect(existsSync(join(REPOSITORY, file)), file).toBe(true);
      expect(has(file, name), `${file}: ${name}`).toBe(true);
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
