import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { REPOSITORY } from "../program/child.ts";

const folder = join(REPOSITORY, ".github/workflows");

describe.each(readdirSync(folder))("%s", (name) => {
  const text = readFileSync(join(folder, name), "utf8");

  it("may only read, whatever it runs", () => {
    expect(text).toMatch(/^permissions:\n {2}contents: read\n\n/m);
    expect(text).not.toMatch(/: write\b|write-all/);
  });

  it("runs the reviewed actions, not whatever a tag points to today", () => {
    const used = [...text.matchAll(/\buses: (.*)/g)].map(([, action = ""]) => action);
    expect(used).not.toEqual([]);
    for (const action of used) expect(action).toMatch(/^[\w/-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/);
  });
});

it("a change to a bundle can be seen in a review", () => {
  expect(readFileSync(join(REPOSITORY, ".gitattributes"), "utf8")).not.toMatch(/-diff|binary/);
});
