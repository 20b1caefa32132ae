import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { VERSIONS } from "../e2e/hosts/adapter.ts";
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

it("a scheduled run tries the newest version of each client", () => {
  const text = readFileSync(join(folder, "newest-clients.yml"), "utf8");
  expect(text).toMatch(/^ {2}schedule:\n {4}- cron: /m);
  expect(text).toContain(`          ${VERSIONS}: latest\n`);
  expect(text).toContain("npm run test:full -- --project e2e test/e2e/hosts\n");
});

it("a change to a bundle can be seen in a review", () => {
  expect(readFileSync(join(REPOSITORY, ".gitattributes"), "utf8")).not.toMatch(/-diff|binary/);
});
