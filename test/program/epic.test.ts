import { execFileSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync, rmSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { EXIT } from "../../src/apps/cli/command.ts";
import { layouts, specum } from "../support/editions.ts";
import { DONE, epics, expectDone, makeShop, stateOf, textOf } from "./epics.ts";
import { expectRefusal, makePlace, openPlace, type Place } from "./support.ts";
import { fillFolder, makeFolder } from "./temporary.ts";

describe.each(layouts)("an epic of $plugin", (layout) => {
  const [specs] = layout.specsDirs;
  const finish = (place: Place, name: string): void =>
    void fillFolder(place.root, { [`${specs}/${name}/tasks.md`]: DONE });

  it("is split, worked through in order, and finished", () => {
    const place = makeShop(layout);
    expect(place.run(["epic", "status"]).out).toBe(
      [
        `shop ./${layout.extras ?? specs}/_epics/shop  0 of 3 specs done`,
        "Sell things on the web",
        "▶ stock S  next: Know what is there",
        "· users    ready: Know who buys",
        "· cart     waiting for stock and users: Fill a cart",
        `→ /${layout.plugin}:start stock`,
        "",
      ].join("\n"),
    );
    const order: string[] = [];
    for (;;) {
      const next = place.json(["epic", "next"]);
      if (next.code !== 0) break;
      expect(place.json(["epic", "status"])).toMatchObject({
        next: next["spec"],
        done: order.length,
        total: 3,
        why: null,
        todo: `/${layout.plugin}:start ${String(next["spec"])}`,
      });
      order.push(String(next["spec"]));
      finish(place, String(next["spec"]));
    }
    expect(order).toEqual(["stock", "users", "cart"]);
    expectRefusal(place.run(["epic", "next"]), EXIT.missing, 'every spec of epic "shop" is done');
    expect(place.run(["epic", "status"]).out).toMatch(/3 of 3 specs done\n(?:.*\n)+every spec/);
    // What is asked of the disk is never written: the plan is what is stored.
    expect(stateOf(place).specs).toMatchObject([
      { name: "cart", status: "pending", dependencies: ["stock", "users"] },
      { name: "stock", status: "pending", size: "S" },
      { name: "users", goal: "Know who buys" },
    ]);
  });

  it("is next to the specs and is not one of them", () => {
    const place = makeShop(layout);
    expect(readdirSync(epics(place, "shop")).sort()).toEqual([".epic-state.json", "epic.md"]);
    expect(place.json(["status", "demo"])).toMatchObject({ others: [] });
    expectRefusal(place.run(["implement", "_epics"]), EXIT.missing, /there is no \w+ "_epics"/);
    const away = ["cancel", "_epics", "--delete-spec", "--yes"];
    expectRefusal(place.run(away), EXIT.missing, "_epics");
    expectRefusal(
      place.slash(["cancel", `./${specs}/_epics`, ...away.slice(2)]),
      EXIT.missing,
      /_epics/,
    );
    expect(existsSync(epics(place, "shop", "epic.md"))).toBe(true);
  });
});

describe("epic new", () => {
  it("begins a project at the top of the repository, and keeps the pointer out of git", () => {
    const home = makeFolder();
    const root = join(home, "project");
    fillFolder(root, { "src/deep/": "" });
    const place = openPlace(specum, root, root, home);
    const git = (...args: string[]) =>
      execFileSync("git", args, { cwd: root, env: place.env, encoding: "utf8" });
    git("init", "-q");
    const made = place.json(["epic", "new", "shop", "Sell things"], {
      cwd: join(root, "src/deep"),
    });
    expect(made).toMatchObject({ code: 0, epic: "shop", document: "./specs/_epics/shop/epic.md" });
    expect(readFileSync(join(root, "specs/.current-epic"), "utf8")).toBe("shop\n");
    expect(git("status", "--porcelain", "-uall").split("\n").filter(Boolean)).toEqual([
      "?? specs/_epics/shop/.epic-state.json",
      "?? specs/_epics/shop/epic.md",
    ]);
  });

  it("never overwrites", () => {
    const place = makeShop();
    const before = [textOf(place), stateOf(place)];
    expectRefusal(
      place.run(["epic", "new", "shop", "Something else"]),
      EXIT.refused,
      /epic "shop" already exists; .*epic switch shop/,
    );
    expect([textOf(place), stateOf(place)]).toEqual(before);
  });

  it("fills in what is missing in a folder that has notes already", () => {
    const files = {
      "specs/_epics/shop/research.md": "seams",
      "specs/_epics/shop/epic.md": "# Mine\n",
    };
    const place = makePlace(specum, files);
    expectRefusal(place.run(["epic", "status", "shop"]), EXIT.missing, /no state; .*epic new shop/);
    expectDone(place, ["epic", "new", "shop", "Sell"]);
    expectDone(place, ["epic", "add", "cart", "--goal", "Fill it"]);
    expect(textOf(place)).toBe("# Mine\n");
    expect(readFileSync(epics(place, "shop", "research.md"), "utf8")).toBe("seams");
    expect(stateOf(place).specs).toHaveLength(1);
  });

  it.each<[args: string[], says: RegExp]>([
    [[], /needs <name>/],
    [["shop"], /needs <goal…>/],
    [["shop", " "], /<goal…> is empty/],
    [["Shop", "x"], /"Shop" is not a valid name; use lowercase letters/],
    [["../shop", "x"], /not a valid name/],
    [["shop\u001b[31m", "x"], /not a valid name/],
  ])("refuses %j, and writes nothing", (args, says) => {
    const place = makePlace(specum);
    expectRefusal(place.run(["epic", "new", ...args]), EXIT.usage, says);
    expect(readdirSync(join(place.root, "specs"))).toEqual(["demo"]);
  });

  it("creates nothing through a link that leads out", () => {
    const place = makePlace(specum);
    const outside = makeFolder();
    symlinkSync(outside, epics(place));
    expectRefusal(
      place.run(["epic", "new", "shop", "x"]),
      EXIT.broken,
      /is a link out of the project/,
    );
    expect(readdirSync(outside)).toEqual([]);
  });
});

describe("epic next", () => {
  const withState = (...list: readonly object[]): Place =>
    makePlace(specum, {
      "specs/.current-epic": "shop",
      "specs/_epics/shop/.epic-state.json": JSON.stringify({ specs: list }),
    });

  it.each<[what: string, list: object[], says: RegExp]>([
    ["no specs", [], /has no specs yet; ralph-specum epic add/],
    ["all given up", [{ name: "a", status: "cancelled" }], /done or cancelled/],
    [
      "what it waits for was cancelled",
      [
        { name: "a", status: "cancelled" },
        { name: "b", dependencies: ["a"] },
        { name: "c", dependencies: ["b"] },
      ],
      /: b waits for a, which is cancelled; .*--unlink/,
    ],
    [
      "what was never added",
      [{ name: "b", dependencies: ["z"] }],
      /b waits for z, which is not in/,
    ],
    [
      "a circle",
      [
        { name: "a", dependencies: ["b"] },
        { name: "b", dependencies: ["a"] },
      ],
      /a → b → a; ralph-specum epic remove a --unlink --epic shop, then/,
    ],
  ])("with %s ends with 3 and says why", (_, list, says) => {
    const place = withState(...list);
    expectRefusal(place.run(["epic", "next"]), EXIT.missing, says);
    expect(place.run(["epic", "status"]).code).toBe(0);
    expect(place.json(["epic", "status"])).toMatchObject({ next: null, todo: null });
  });

  it("prints the name and the goal, and nothing that controls a terminal", () => {
    expect(makeShop().run(["epic", "next"]).out).toBe("stock: Know what is there\n");
    const hostile = withState({ name: "a\u001b[31m\nb", goal: "x\u001b]0;t\u0007\ny" });
    expect(hostile.run(["epic", "next"]).out).toBe("a[31m b: x]0;t y\n");
    expect(hostile.run(["epic", "status"]).out).not.toMatch(/\u001b|\u0007/);
  });
});

describe("the active epic", () => {
  it("is switched, and the only one there is needs no pointer", () => {
    const place = makeShop();
    expectDone(place, ["epic", "new", "other", "Another goal"]);
    expect(place.json(["epic", "status"])).toMatchObject({ epic: "other", total: 0 });
    expect(place.json(["epic", "status", "shop"])).toMatchObject({ epic: "shop", total: 3 });
    expect(place.json(["epic", "next", "--epic", "shop"])).toMatchObject({ spec: "stock" });
    expectDone(place, ["epic", "switch", "shop"]);
    expect(place.json(["epic", "status"])).toMatchObject({ epic: "shop" });
    expectRefusal(place.run(["epic", "switch", "gone"]), EXIT.missing, /there are: other, shop/);
    rmSync(join(place.root, "specs/.current-epic"));
    expectRefusal(place.run(["epic", "status"]), EXIT.missing, /no active epic; there are: other/);
    rmSync(epics(place, "other"), { recursive: true });
    expect(place.json(["epic", "status"])).toMatchObject({ epic: "shop" });
  });

  it("is none if there is none", () => {
    expectRefusal(
      makePlace(specum).run(["epic", "status"]),
      EXIT.missing,
      /epic new <name> <goal>/,
    );
  });
});
