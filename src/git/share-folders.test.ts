import {
  existsSync,
  linkSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  readlinkSync,
  readdirSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { fillFolder, makeFolder } from "../../test/program/temporary.ts";
import { makeRepository } from "../../test/support/repository.ts";
import { describeMissing, describeShared } from "../run/installed.ts";
import { shareFolders } from "./share-folders.ts";

const BOUNDS = { entries: 1000, ms: 60_000 };

function make() {
  const repository = makeRepository();
  repository.commit({ ".gitignore": "node_modules\n.venv\nsecret\n", "packages/app/x.js": "x" });
  const all = makeFolder();
  const to = join(all, "demo");
  repository.git("worktree", "add", "-q", "-b", "run", to);
  const spare = join(all, "spare");
  mkdirSync(spare);
  return { repository, from: repository.root, to, spare };
}

describe("shareFolders", () => {
  it("gives a tree its own copies of ignored folders with known names, at any depth", async () => {
    const { repository, from, to, spare } = make();
    repository.write({
      "node_modules/a/index.js": "a",
      "node_modules/.bin/a": "#!",
      "packages/app/node_modules/b/index.js": "b",
      "secret/key": "k",
      "vendor/own.txt": "not ignored",
    });
    symlinkSync("../packages/app", join(from, "node_modules/app"));
    symlinkSync(join(from, "packages/app"), join(from, "node_modules/whole"));
    symlinkSync("../../beside", join(from, "node_modules/beside"));
    const shared = await shareFolders(from, to, spare);
    expect(shared.map(({ name }) => name)).toEqual(["node_modules", "packages/app/node_modules"]);
    expect(readFileSync(join(to, "node_modules/a/index.js"), "utf8")).toBe("a");
    expect(readFileSync(join(to, "packages/app/node_modules/b/index.js"), "utf8")).toBe("b");
    expect(readlinkSync(join(to, "node_modules/app"))).toBe("../packages/app");
    expect(readlinkSync(join(to, "node_modules/whole"))).toBe(join(to, "packages/app"));
    expect(readlinkSync(join(to, "node_modules/beside"))).toBe(join(from, "../beside"));
    expect(existsSync(join(to, "secret"))).toBe(false);
    expect(existsSync(join(to, "vendor"))).toBe(false);
    expect(readdirSync(spare)).toEqual([]);
    expect(await shareFolders(from, to, spare)).toEqual([]);
  });

  it("includes folders that the settings name, by name or by path, if git ignores them", async () => {
    const { repository, from, to, spare } = make();
    repository.write({ "secret/key": "k", "packages/app/secret/key": "k", "own/a.txt": "a" });
    const shared = await shareFolders(from, to, spare, { more: ["packages/app/secret", "own"] });
    expect(shared.map(({ name }) => name)).toEqual(["packages/app/secret"]);
    const rest = await shareFolders(from, to, spare, { more: ["secret"] });
    expect(rest.map(({ name }) => name)).toEqual(["secret"]);
  });

  it("lets nothing that is added, removed or replaced reach the user's tree", async () => {
    const { repository, from, to, spare } = make();
    repository.write({ "node_modules/a/index.js": "a" });
    expect(await shareFolders(from, to, spare)).toEqual([{ name: "node_modules", how: "copies" }]);
    expect(lstatSync(join(to, "node_modules")).isSymbolicLink()).toBe(false);
    writeFileSync(join(to, "node_modules/new.js"), "new");
    fillFolder(to, { "node_modules/a/other.js": "x" });
    expect(readdirSync(join(from, "node_modules"))).toEqual(["a"]);
    expect(readdirSync(join(from, "node_modules/a"))).toEqual(["index.js"]);
    writeFileSync(join(to, "node_modules/a/index.js"), "edited in place");
    expect(readFileSync(join(from, "node_modules/a/index.js"), "utf8")).toBe("a");
  });

  it("may link files between trees of the run, where blocks cannot be shared", async () => {
    const { repository, from, to, spare } = make();
    repository.write({ "node_modules/a/index.js": "a" });
    const [{ how } = { how: "" }] = await shareFolders(from, to, spare, { mayLink: true });
    const isSame =
      statSync(join(to, "node_modules/a/index.js")).ino ===
      statSync(join(from, "node_modules/a/index.js")).ino;
    expect(isSame).toBe(how === "links");
  });

  it.each([
    ["too many files", { entries: 20, ms: 60_000 }],
    ["takes too long", { entries: 5000, ms: -1 }],
  ])("is bounded: %s", async (why, bounds) => {
    const { repository, from, to, spare } = make();
    const files = Array.from({ length: 500 }, (_, i) => [`node_modules/a/${i}.js`, "x"] as const);
    repository.write(Object.fromEntries(files));
    const shared = await shareFolders(from, to, spare, { bounds });
    expect(shared).toMatchObject([{ name: "node_modules", how: "nothing" }]);
    expect(describeMissing(shared, "run_setup").join()).toContain(why);
    expect(existsSync(join(to, "node_modules"))).toBe(false);
    expect(readdirSync(spare)).toEqual([]);
  });

  it("says what is shared, and which commit's lock is another", async () => {
    const { repository, from, to, spare } = make();
    repository.write({
      "node_modules/a/index.js": "a",
      "packages/app/node_modules/b/index.js": "b",
      ".venv/pyvenv.cfg": "",
      "requirements.txt": "same",
      "package-lock.json": "{}",
    });
    fillFolder(to, { "requirements.txt": "same", "package-lock.json": "{ }" });
    const shared = await shareFolders(from, to, spare);
    const tree = (commit: string) => ({ commit: commit.repeat(40), shared });
    expect(describeShared([tree("a"), tree("b"), tree("b")])).toEqual([
      ".venv is shared from your tree",
      "node_modules, packages/app/node_modules are shared from your tree; their package-lock.json differs from that of aaaaaaaaa, bbbbbbbbb",
    ]);
    expect(describeShared([{ ...tree("a"), shared: [{ name: "x", how: "copies" }] }])).toEqual([
      "x is shared from your tree",
    ]);
    expect(describeShared([{ ...tree("a"), shared: [{ name: "x", how: "nothing" }] }])).toEqual([]);
  });

  it("makes a Python environment point to its own tree", async () => {
    const { repository, from, to, spare } = make();
    const site = ".venv/lib/python3.12/site-packages";
    repository.write({
      ".venv/pyvenv.cfg": `command = python -m venv ${from}/.venv\n`,
      ".venv/bin/pytest": `#!${from}/.venv/bin/python\n`,
      [`${site}/__editable__.app.pth`]: `${from}/src\n`,
      [`${site}/app/data.txt`]: `${from}\n`,
    });
    linkSync(join(from, ".venv/bin/pytest"), join(from, ".venv/bin/py.test"));
    await shareFolders(from, to, spare, { bounds: BOUNDS });
    expect(readFileSync(join(to, ".venv/bin/pytest"), "utf8")).toBe(`#!${to}/.venv/bin/python\n`);
    expect(readFileSync(join(to, site, "__editable__.app.pth"), "utf8")).toBe(`${to}/src\n`);
    expect(readFileSync(join(from, ".venv/bin/pytest"), "utf8")).toBe(
      `#!${from}/.venv/bin/python\n`,
    );
    expect(readFileSync(join(to, site, "app/data.txt"), "utf8")).toBe(`${from}\n`);
  });
});
