import { existsSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { EXIT } from "../../src/apps/cli/command.ts";
import { specum } from "../support/editions.ts";
import { type Ran, REPOSITORY, startChild } from "./child.ts";
import { DONE, epics, expectDone, makeShop, stateOf, textOf } from "./epics.ts";
import { expectRefusal, type Place } from "./support.ts";

const CLI = join(REPOSITORY, "plugins/ralph-specum/dist/cli.cjs");

describe("epic add and remove", () => {
  it.each<[args: string[], code: number, says: RegExp]>([
    [["cart", "--goal", "x"], EXIT.refused, /already has a spec "cart"/],
    [["x", "--goal", "x", "--depends", "x"], EXIT.refused, /cannot depend on itself/],
    [["a b", "--goal", "x"], EXIT.refused, /"a b" is not a valid name/],
    [["x", "--goal", "x", "--depends", "../y"], EXIT.refused, /"\.\.\/y" is not a valid name/],
    [["x"], EXIT.usage, /--goal is empty/],
    [["x", "--goal", "x", "--size", "huge"], EXIT.usage, /--size takes S, M or L, not "HUGE"/],
    [["x", "--goal", "x", "--epic", "gone"], EXIT.missing, /no epic "gone"; there are: shop/],
    [["x", "--goal", "x", "--epic", "../.."], EXIT.usage, /not the bare name of an epic/],
  ])("add %j is refused with %s, and changes nothing", (args, code, says) => {
    const place = makeShop();
    const before = [textOf(place), stateOf(place)];
    expectRefusal(place.run(["epic", "add", ...args]), code, says);
    expect([textOf(place), stateOf(place)]).toEqual(before);
  });

  it("says which dependencies are still missing, and refuses a cycle when they are added", () => {
    const place = makeShop();
    expect(
      place.json(["epic", "add", "pay", "--goal", "Pay", "--depends", "cart, bank", "--size", "L"]),
    ).toMatchObject({
      code: 0,
      spec: { name: "pay", dependencies: ["cart", "bank"], size: "L" },
      missing: ["bank"],
      total: 4,
    });
    expectRefusal(
      place.run(["epic", "add", "bank", "--goal", "x", "--depends", "pay"]),
      EXIT.refused,
      /cycle: bank → pay → bank/,
    );
    expectDone(place, ["epic", "add", "bank", "--goal", "x"]);
  });

  it("keeps the table in epic.md, and leaves the rest of it alone", () => {
    const place = makeShop();
    const written = textOf(place).replace("## Risks", "cart: total()\n\n## Risks");
    writeFileSync(epics(place, "shop", "epic.md"), written);
    expect(written).toContain("| cart | Fill a cart |  | stock, users |\n");
    expectDone(place, ["epic", "add", "pay", "--goal", "Pay | later"]);
    expect(textOf(place)).toBe(
      written.replace("<!-- specs:end -->", "| pay | Pay \\| later |  |  |\n<!-- specs:end -->"),
    );
    expectDone(place, ["epic", "remove", "pay"]);
    expect(textOf(place)).toBe(written);
  });

  it("remove refuses while others depend on it, unless they are unlinked", () => {
    const place = makeShop(specum, { "specs/stock/tasks.md": DONE });
    const stock = ["epic", "remove", "stock"];
    expectRefusal(place.run(stock), EXIT.refused, /cart depends on "stock".*--unlink/);
    expect(place.json([...stock, "--unlink"])).toMatchObject({ removed: "stock", total: 2 });
    expect(stateOf(place).specs).toMatchObject([{ dependencies: ["users"] }, { name: "users" }]);
    expect(existsSync(join(place.root, "specs/stock/tasks.md"))).toBe(true);
    expectRefusal(place.run(stock), EXIT.refused, /no spec "stock"; it has: cart, users/);
  });

  const addAsync = ({ root, env }: Place, name: string): Promise<Ran> =>
    startChild(process.execPath, [CLI, "--layout=specum", "epic", "add", name, "--goal", name], {
      cwd: root,
      env,
    });

  it("by many at once loses none", async () => {
    const place = makeShop();
    const names = ["p", "q", "r", "s", "t", "u"];
    const ran = await Promise.all(names.map((name) => addAsync(place, name)));
    expect(ran.filter(({ code }) => code !== 0)).toEqual([]);
    const all = stateOf(place).specs.map(({ name }) => name);
    expect(all.sort()).toEqual(["cart", ...names, "stock", "users"].sort());
    expect(textOf(place).match(/^\| \w+ \|/gm)).toHaveLength(1 + all.length);
    expect(readdirSync(epics(place, "shop")).sort()).toEqual([".epic-state.json", "epic.md"]);
  });
  it("waits for whoever writes, and then sees what that one wrote", async () => {
    const place = makeShop();
    const lock = epics(place, "shop", ".epic-lock");
    writeFileSync(lock, `${process.pid}\n`);
    const waiting = addAsync(place, "pay");
    // Time enough for one that does not wait to be done.
    await new Promise((resolve) => setTimeout(resolve, 500));
    writeFileSync(epics(place, "shop", ".epic-state.json"), '{"specs":[{"name":"pay"}]}');
    rmSync(lock);
    expectRefusal(await waiting, EXIT.refused, /already has a spec "pay"/);
  });
});
