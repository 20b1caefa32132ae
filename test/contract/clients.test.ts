import { existsSync, readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { CLIENT_PAGE, clientPage } from "../../scripts/client-table.ts";
import { adapters } from "../e2e/hosts/all.ts";
import { ALWAYS, BEHAVIOURS, type BehaviourId, IN_ONE } from "../e2e/hosts/behaviours.ts";
import { scenarios } from "../e2e/hosts/scenarios/all.ts";
import { clientTable } from "../e2e/hosts/table.ts";

/** Every "yes" about a client is a scenario that is run in it, and everything else has its reason. */
const page = readFileSync(CLIENT_PAGE, "utf8");
/** Every run has tests of their own for the same things; the suite is for a full one. */
const ELSEWHERE = new Set(["claude"]);
const ids = Object.keys(BEHAVIOURS) as BehaviourId[];

describe.each(adapters)("$name", ({ id, version, find, differences }) => {
  it("is pinned to one version", () => {
    expect(version).toMatch(/^\d+\.\d+\.\d+$/);
  });

  it("is downloaded where it is not there", async () => {
    expect(await find("nowhere")).toBeUndefined();
  });

  it("goes through the suite", () => {
    const kind = ELSEWHERE.has(id) ? "e2e.full.test.ts" : "e2e.test.ts";
    const file = `test/e2e/hosts/${id}.${kind}`;
    expect(existsSync(file)).toBe(true);
    expect(readFileSync(file, "utf8")).toContain(`describeClient(${id});`);
  });

  it("says why, where something does not hold", () => {
    for (const [behaviour, reason] of Object.entries(differences)) {
      expect(ids).toContain(behaviour);
      expect(reason).toMatch(/^[A-Z].{20,}\.$/);
    }
  });
});

it("compatibility.md has the table of what holds in which client", () => {
  // `npm run build` writes it.
  expect(clientPage()).toBe(page);
  expect(page).toContain(clientTable(adapters));
});

it("each scenario shows something, and those of every run exist", () => {
  expect([...new Set(ids.map((id) => BEHAVIOURS[id].scenario))].toSorted()).toEqual(
    Object.keys(scenarios).toSorted(),
  );
  expect(Object.keys(scenarios)).toEqual(expect.arrayContaining([...ALWAYS, ...IN_ONE.scenarios]));
  expect(adapters.map(({ id }) => id)).toContain(IN_ONE.client);
});

describe("the table", () => {
  const [adapter] = adapters as [(typeof adapters)[number]];

  it("has a number in the place of a yes, and the reason below", () => {
    const other = { ...adapter, differences: { group: "It has no such thing as a group." } };
    const table = clientTable([adapter, other]);
    expect(table).toMatch(/^\| a parallel group .* \| yes \| no \(\d\) \| a group and a wall \|$/m);
    expect(table.split("\n").at(-1)).toMatch(/^\d\. It has no such thing as a group\.$/);
  });
});
