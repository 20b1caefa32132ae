import { describe, expect, it } from "vitest";
import { explainBadName } from "../spec/name.ts";
import {
  beginEpic,
  type Epic,
  type EpicChange,
  formatEpic,
  parseEpic,
  planAdd,
  planRemove,
  withStatus,
} from "./model.ts";

/** `a<b,c` is a spec a that depends on b and c. */
function epicWith(...specs: readonly string[]): Epic {
  return specs.reduce(
    (epic, text) => {
      const change = add(epic, text);
      if (change.kind === "refused") throw new Error(change.why);
      return change.epic;
    },
    beginEpic("big", "A large goal"),
  );
}

function add(epic: Epic, text: string): EpicChange {
  const [name = "", on = ""] = text.split("<");
  return planAdd(epic, { name, goal: `${name}!`, dependencies: on.split(",").filter(Boolean) });
}

const show = ({ specs }: Epic): string[] =>
  specs.map(({ name, dependencies }) => `${name}<${dependencies.join()}`);

/** As an older version wrote it, with fields that we know nothing about. */
const OLDER = {
  name: "billing",
  goal: "Bill by use",
  specs: [
    { name: "Meter_usage", status: "completed", dependencies: [], issueNumber: 12 },
    { name: "invoices", status: "in_progress", dependencies: ["Meter_usage"], size: "XL" },
    { name: "dunning", status: "pending", dependencies: ["invoices"] },
  ],
  output: "both",
  issueNumber: 11,
  phase: "finalization",
};

const parsed = (value: unknown): Epic => {
  const file = parseEpic(JSON.stringify(value));
  if (file.kind !== "ok") throw new Error(JSON.stringify(file));
  return file.epic;
};

describe("parseEpic", () => {
  it("accepts what an older version wrote, and keeps all of it", () => {
    const epic = parsed(OLDER);
    expect(epic).toMatchObject({ name: "billing", goal: "Bill by use" });
    expect(epic.specs).toEqual([
      { name: "Meter_usage", status: "completed", dependencies: [] },
      { name: "invoices", status: "in_progress", dependencies: ["Meter_usage"], size: "XL" },
      { name: "dunning", status: "pending", dependencies: ["invoices"] },
    ]);
    expect(JSON.parse(formatEpic(epic))).toEqual(OLDER);
    const added = add(epic, "refunds<Meter_usage");
    const text = added.kind === "changed" ? formatEpic(added.epic) : "";
    const { specs, ...rest } = JSON.parse(text) as typeof OLDER;
    const { specs: old, ...others } = OLDER;
    expect(rest).toEqual(others);
    expect(specs.slice(0, 3)).toEqual(old);
    expect(specs).toHaveLength(4);
  });

  it.each<[what: string, text: string, specs: object[]]>([
    ["no specs", "{}", []],
    ["specs that are null", '{"specs":null}', []],
    ["a byte order mark", '\uFEFF{"specs":[{"name":"a"}]}', [{ name: "a", status: "pending" }]],
    ["a status of its own", '{"specs":[{"name":"a","status":"done"}]}', [{ status: "pending" }]],
    ["dependencies: null", '{"specs":[{"name":"a","dependencies":null}]}', [{ dependencies: [] }]],
    ["a goal that is no text", '{"goal":7,"specs":[{"name":"a","goal":{}}]}', [{ name: "a" }]],
    ["names of built-ins", '{"specs":[{"name":"__proto__"},{"name":"constructor"}]}', [{}, {}]],
  ])("reads %s", (_, text, specs) => {
    const file = parseEpic(text);
    expect(file.kind === "ok" && file.epic.specs).toMatchObject(specs);
    expect(file).toMatchObject({ kind: "ok", epic: { goal: "" } });
  });

  it.each([
    ["", "it is empty"],
    ["{", "it is not valid JSON"],
    ["[]", "it is not a JSON object"],
    ['{"specs":{}}', "in it the specs are not a list"],
    ['{"specs":["a"]}', "in it spec number 1 has no name"],
    ['{"specs":[{"name":"a"},{"name":""}]}', "in it spec number 2 has no name"],
    ['{"specs":[{"name":"a"},{"name":"a"}]}', 'in it there are two specs "a"'],
    [
      '{"specs":[{"name":"a","dependencies":"b"}]}',
      'in it the dependencies of "a" are not a list of names',
    ],
    [
      '{"specs":[{"name":"a","dependencies":[1]}]}',
      'in it the dependencies of "a" are not a list of names',
    ],
  ])("cannot use %s: %s", (text, why) => {
    expect(parseEpic(text)).toEqual({ kind: "corrupt", why });
  });
});

describe("planAdd", () => {
  it.each<[specs: string[], wish: string, result: string[]]>([
    [[], "a", ["a<"]],
    [["a"], "b<a", ["a<", "b<a"]],
    [["a", "b<a"], "c<a,b,a", ["a<", "b<a", "c<a,b"]],
    [[], "b<a", ["b<a"]],
    [["b<a"], "a", ["b<a", "a<"]],
    [["b<a"], "a<c", ["b<a", "a<c"]],
    [[], "001-photo-albums", ["001-photo-albums<"]],
  ])("to %j takes %s", (specs, wish, result) => {
    const change = add(epicWith(...specs), wish);
    expect(change.kind === "changed" && show(change.epic)).toEqual(result);
  });

  it.each<[specs: string[], wish: string, why: RegExp]>([
    [["a"], "a", /already has a spec "a"/],
    [[], "a<a", /"a" cannot depend on itself/],
    [["b<a"], "a<b", /cycle: a → b → a$/],
    [["b<a", "c<b", "x"], "a<x,c", /cycle: a → c → b → a$/],
    [[], "A", /"A" is not a valid name/],
    [[], "", /"" is not a valid name/],
    [[], "a b", /not a valid name/],
    [[], "a--b", /not a valid name/],
    [[], "-a", /not a valid name/],
    [[], "_epics", /not a valid name/],
    [[], "../a", /not a valid name/],
    [[], "nul", /not a valid name/],
    [[], "a".repeat(65), /not a valid name/],
    [[], "a<../b", /"..\/b" is not a valid name/],
  ])("to %j refuses %s", (specs, wish, why) => {
    expect(add(epicWith(...specs), wish)).toEqual({
      kind: "refused",
      why: expect.stringMatching(why) as string,
      fix: expect.any(String) as string,
    });
  });

  it("may depend on a spec with any name that the epic has already", () => {
    expect(add(parsed(OLDER), "x<Meter_usage").kind).toBe("changed");
  });

  it("is not blocked by a cycle that somebody wrote by hand elsewhere", () => {
    const epic = parsed({
      specs: [
        { name: "a", dependencies: ["b"] },
        { name: "b", dependencies: ["a"] },
      ],
    });
    expect(add(epic, "c<a").kind).toBe("changed");
  });

  it("keeps goal and size", () => {
    const wish = { name: "a", goal: "Do it", dependencies: [], size: "M" };
    const change = planAdd(beginEpic("big", ""), wish);
    expect(change.kind === "changed" && change.epic.specs).toEqual([
      { ...wish, status: "pending" },
    ]);
  });
});

describe("planRemove", () => {
  it.each<[specs: string[], name: string, unlink: boolean, result: string[] | RegExp]>([
    [["a", "b"], "a", false, ["b<"]],
    [["a", "b<a"], "b", false, ["a<"]],
    [["a", "b<a"], "a", false, /^b depends on "a"$/],
    [["a", "b<a", "c<a,b"], "a", false, /^b, c depend on "a"$/],
    [["a", "b<a", "c<a,b"], "a", true, ["b<", "c<b"]],
    [["a"], "z", true, /no spec "z"/],
  ])("from %j takes %s (unlink: %s)", (specs, name, unlink, result) => {
    const change = planRemove(epicWith(...specs), name, unlink);
    if (change.kind === "refused") expect(change.why).toMatch(result as RegExp);
    else expect(show(change.epic)).toEqual(result);
  });

  it("resolves a cycle and a spec that waits for itself", () => {
    const epic = parsed({
      specs: [
        { name: "a", dependencies: ["a", "b"] },
        { name: "b", dependencies: ["a"] },
      ],
    });
    const change = planRemove(epic, "a", true);
    expect(change.kind === "changed" && show(change.epic)).toEqual(["b<"]);
  });
});

describe("withStatus", () => {
  it("changes that one spec only, and says since when", () => {
    const { specs } = withStatus(parsed(OLDER), "dunning", "cancelled", "now").raw as typeof OLDER;
    expect(specs.slice(0, 2)).toEqual(OLDER.specs.slice(0, 2));
    expect(specs[2]).toEqual({ ...OLDER.specs[2], status: "cancelled", statusAt: "now" });
  });

  it.each([
    ["dunning", "pending"],
    ["stranger", "completed"],
  ] as const)("has nothing to do for %s: %s", (name, status) => {
    const epic = parsed(OLDER);
    expect(withStatus(epic, name, status, "now")).toBe(epic);
  });
});

it("says what is wrong with a name on a short line", () => {
  expect(explainBadName("good-name-2")).toBeUndefined();
  expect(explainBadName("x".repeat(5000))?.why.length).toBeLessThan(200);
});
