import {
  existsSync,
  mkdirSync,
  readdirSync,
  renameSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { EXIT } from "../../src/apps/cli/command.ts";
import { layouts, speckit, specum } from "../support/editions.ts";
import { expectRefusal, IN_SESSION, makePlace, pointerOf, startPlace } from "./support.ts";
import { makeFolder } from "./temporary.ts";

const FINISHED = "- [x] 1.1 a\n";
const TODAY = new Date().toISOString().slice(0, 10);

describe("list", () => {
  const layout = specum;
  const folder = layout.specsDirs[0];

  it("says of every spec where it is, and which one is active", () => {
    const place = startPlace(layout, {
      [`${folder}/old/tasks.md`]: FINISHED,
      [`${folder}/fresh/notes.txt`]: "",
    });
    expect(place.json(["list"])["specs"]).toMatchObject([
      { spec: "demo", standing: "running, 0 of 3 tasks done", active: true, finished: false },
      { spec: "fresh", active: false, finished: false },
      {
        spec: "old",
        standing: "finished, 1 of 1 task done: 1 reported",
        active: false,
        finished: true,
      },
    ]);
    place.run(["pause"]);
    const lines = place.run(["list"]).out.split("\n");
    expect(lines[0]).toMatch(/^▶ demo {3}paused, 0 of 3 tasks done +\.\//);
    expect(lines[2]).toMatch(/^✓ old {4}finished, 1 of 1 task done: 1 reported/);
  });

  it("begins with nothing", () => {
    const place = makePlace(layout, { [`${folder}/x/tasks.md`]: FINISHED }, "x");
    renameSync(place.folder, makeFolder());
    expect(place.run(["list"]).out).toMatch(
      /There are no \w+ yet\. Begin with smart-ralph run "<what/,
    );
  });
});

describe.each(layouts)("$plugin archive", (layout) => {
  const folder = layout.specsDirs[0];
  const archived = `${folder}/${layout.archive}/${TODAY}-demo`;

  it("moves a finished spec out of the way, with every file, and clears the pointer", () => {
    const place = makePlace(layout, {
      [`${folder}/demo/tasks.md`]: FINISHED,
      [pointerOf(layout)]: "demo\n",
    });
    const { code, out } = place.run(["archive"]);
    expect(out).toContain(`"demo" is archived in ./${archived}. It was the active one; `);
    expect(code).toBe(0);
    expect(existsSync(join(place.root, archived, "tasks.md"))).toBe(true);
    expect(existsSync(place.folder)).toBe(false);
    expect(existsSync(join(place.root, pointerOf(layout)))).toBe(false);
    expect(place.json(["list", "--archived"])["archived"]).toEqual([
      { spec: "demo", path: `./${archived}`, at: TODAY },
    ]);
  });

  it("takes a run's record along to the journal, and gives the name free", () => {
    const place = startPlace(layout);
    writeFileSync(join(place.folder, "tasks.md"), FINISHED);
    place.stop();
    expect(place.run(["archive", "demo"]).code).toBe(0);
    expect(readdirSync(join(place.root, archived))).toContain(layout.journalFile);
    mkdirSync(place.folder);
    writeFileSync(join(place.folder, "tasks.md"), FINISHED);
    expect(place.json(["evidence"])["tasks"], "of another spec").toMatchObject([{ evidence: [] }]);
    expect(place.run(["archive", "demo"]).out).toContain(`${TODAY}-demo-2`);
  });

  it.each(["demo", layout.archive])("what is archived is not a spec any more: %s", (name) => {
    const place = makePlace(layout, { [`${folder}/demo/tasks.md`]: FINISHED });
    place.run(["archive"]);
    expectRefusal(place.run(["status", name]), EXIT.missing, /there is no/);
    expectRefusal(place.run(["status", `./${archived}`]), EXIT.missing, /there is no/);
    expect(place.json(["list"])["specs"]).toEqual([]);
  });

  it("refuses what is unfinished unless forced, and what runs in any case", () => {
    const place = startPlace(layout, { [`${folder}/other/tasks.md`]: "- [ ] 1.1 a\n" });
    expectRefusal(
      place.run(["archive", "other"]),
      EXIT.refused,
      /"other" is not finished; --force/,
    );
    for (const more of [[], ["--force"]])
      expectRefusal(
        place.slash(["archive", "demo", ...more]),
        EXIT.refused,
        /"demo" is being worked on; .*cancel demo ends that first/,
      );
    expectRefusal(
      place.run(["archive", "other", "--force"], IN_SESSION),
      EXIT.refused,
      /only the user/,
    );
    expect(place.slash(["archive", "other", "--force"]).code).toBe(0);
  });
});

it("archive follows no link out of the project", () => {
  const place = makePlace(specum, { "specs/demo/tasks.md": FINISHED });
  const outside = makeFolder();
  symlinkSync(outside, join(place.root, "specs/_archive"));
  expectRefusal(place.run(["archive"]), EXIT.broken, /link out of the project/);
  expect(readdirSync(outside)).toEqual([]);
  expect(existsSync(place.folder)).toBe(true);
});

it("a number is not used again after its spec was archived", () => {
  const place = makePlace(speckit, { ".specify/specs/007-login/tasks.md": FINISHED });
  place.run(["archive", "007-login"]);
  expect(place.json(["new", "search", "find things"])).toMatchObject({ spec: "008-search" });
});

it("a finished spec that was archived is still done in its epic", () => {
  const place = makePlace(specum, { "specs/first/tasks.md": FINISHED });
  place.run(["epic", "new", "shop", "sell"]);
  place.run(["epic", "add", "first", "--goal", "a"]);
  place.run(["epic", "add", "second", "--goal", "b", "--depends", "first"]);
  place.run(["archive", "first"]);
  expect(place.json(["epic", "next"])).toMatchObject({ spec: "second" });
});
