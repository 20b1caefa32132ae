import { describe, expect, it } from "vitest";
import { parseEpic } from "./model.ts";
import { type EpicPlan, planEpic, type SpecStanding } from "./plan.ts";

const STATUSES = { "+": "completed", "~": "in_progress", "-": "cancelled", "": "pending" } as const;
const STANDINGS: Readonly<Record<string, SpecStanding>> = {
  "+": "finished",
  "~": "begun",
  "": "none",
};

/** `+a<b` is a spec a, stored as completed, that depends on b; `disk` says `+a` where a is finished there. */
function plan(specs: string, disk = ""): EpicPlan {
  const read = (text: string): string[] =>
    (/^([-+~]?)([^<]*)<?(.*)$/.exec(text) as string[]).slice(1);
  const entries = specs.split(" ").map((text) => {
    const [mark = "", name = "", on = ""] = read(text);
    const status = STATUSES[mark as keyof typeof STATUSES];
    return { name, status, dependencies: on.split(",").filter(Boolean) };
  });
  const standings = new Map(
    disk.split(" ").map((text) => {
      const [mark = "", name = ""] = read(text);
      return [name, STANDINGS[mark]];
    }),
  );
  const file = parseEpic(JSON.stringify({ specs: entries }));
  if (file.kind !== "ok") throw new Error(JSON.stringify(file));
  return planEpic(file.epic, (name) => standings.get(name) ?? "none");
}

describe("the status of a spec", () => {
  it.each([
    ["a", "", "pending"],
    ["+a", "", "completed"],
    ["~a", "", "in_progress"],
    ["-a", "", "cancelled"],
    ["a", "~a", "in_progress"],
    ["a", "+a", "completed"],
    ["~a", "+a", "completed"],
    ["+a", "~a", "in_progress"],
    ["-a", "~a", "cancelled"],
    ["-a", "+a", "cancelled"],
  ])("that is stored as %s and on disk %j is %s", (stored, disk, status) => {
    expect(plan(stored, disk).specs[0]?.status).toBe(status);
  });
});

describe("the next spec", () => {
  it.each([
    ["a b<a c<b", "", "a"],
    ["a b<a c<b", "+a", "b"],
    ["a b<a c<b", "~a", "a"],
    ["a b<a c<b", "+a +b", "c"],
    ["a b<a c<b", "+a +b +c", undefined],
    ["+a b<a", "~a", "a"],
    ["c<b b<a a", "", "a"],
    ["c<b b<a a", "+a", "b"],
    ["b a", "", "b"],
    ["-a b<a", "", undefined],
    ["-a b<a c", "", "c"],
    ["b<z", "", undefined],
    ["b<z", "~z", undefined],
    ["b<z", "+z", "b"],
    ["a<b b<a c", "", "c"],
    ["a<a", "", undefined],
    ["a<b b<a", "+a", "b"],
  ])("of %s with %j on disk is %s", (specs, disk, next) => {
    expect(plan(specs, disk).next?.name).toBe(next);
  });
});

it("says for each open spec what blocks it, and why", () => {
  const { specs, done, cancelled } = plan("a -b +c d<a,b,c,z e<c +f<a", "");
  const blocked = Object.fromEntries(specs.map(({ name, blockedBy }) => [name, blockedBy]));
  expect(blocked).toEqual({
    a: [],
    b: [],
    c: [],
    d: [
      { name: "a", why: "open" },
      { name: "b", why: "cancelled" },
      { name: "z", why: "unknown" },
    ],
    e: [],
    f: [],
  });
  expect({ done, cancelled }).toEqual({ done: 2, cancelled: 1 });
});

it.each([
  ["a b c", "a b c"],
  ["c<a,b b<a a d", "a b c d"],
  ["b<z a", "b a"],
  ["a<b b<a c", "a b c"],
])("puts %s in the order %s", (specs, order) => {
  expect(
    plan(specs)
      .specs.map(({ name }) => name)
      .join(" "),
  ).toBe(order);
});

it.each([
  ["a b<a", []],
  ["a<a", [["a"]]],
  ["x a<b b<c c<a y<a", [["a", "b", "c"]]],
  [
    "a<b b<a c<d d<c",
    [
      ["a", "b"],
      ["c", "d"],
    ],
  ],
])("finds the cycles of %s", (specs, cycles) => {
  expect(plan(specs).cycles).toEqual(cycles);
});
