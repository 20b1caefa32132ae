import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import manifest from "../../package.json" with { type: "json" };
import { openspec, speckit, specum } from "../support/editions.ts";
import { REPOSITORY, runChild } from "./child.ts";
import { makePlace, pointerOf, startPlace } from "./support.ts";
import { fillFolder, makeFolder } from "./temporary.ts";

describe("without a command", () => {
  const layout = specum;
  it("says where things stand, and names five commands", () => {
    const place = startPlace(layout, {
      [`${layout.specsDirs[0]}/other/tasks.md`]: "- [ ] 1.1 a\n",
    });
    place.run(["done", "1.1", "--report", "TASK_COMPLETE"]);
    const { code, out, err } = place.run([]);
    expect({ code, err }).toEqual({ code: 0, err: "" });
    const lines = out.trimEnd().split("\n");
    expect(lines[0]).toBe(`Smart Ralph ${manifest.version}`);
    expect(lines[2]).toBe(`demo ./${layout.specsDirs[0]}/demo  running`);
    expect(lines[3]).toMatch(/^█{8}░{16} 1 of 3 tasks done: 1 reported$/);
    expect(lines[4]).toBe("now    1.2 Second");
    expect(lines[6]).toBe(`1 other ${layout.unit}; ${layout.plugin} list shows them`);
    expect(lines.filter((line) => line.startsWith(`  ${layout.plugin} `))).toHaveLength(5);
    expect(lines).toContainEqual(expect.stringMatching(/^ {2}smart-ralph run "<goal>" /));
    expect(lines.length).toBeLessThan(16);
    place.run(["pause"]);
    expect(place.run([]).out).toContain("paused\n");
  });

  it("lists the specs if none is active", () => {
    const folder = layout.specsDirs[0];
    const place = makePlace(layout, { [`${folder}/other/tasks.md`]: "- [x] 1.1 a\n" });
    const { code, out } = place.run([]);
    expect(code).toBe(0);
    expect(out).toContain(`No ${layout.unit} is active.\n  demo   ready, 0 of 3 tasks`);
    expect(out).toContain(`→ ${layout.plugin} switch <name> makes one active`);
    writeFileSync(join(place.root, pointerOf(layout)), "gone\n");
    expect(place.run([]).out).toContain("is out of date");
  });

  it("says how to begin where there is nothing", () => {
    const { code, out, err } = makePlace(layout).run([], { cwd: makeFolder() });
    expect({ code, err }).toEqual({ code: 0, err: "" });
    expect(out).toContain('  smart-ralph run "<what you want to build>"\n');
    expect(out).toContain(`  /${layout.plugin}:start <what you want to build>\n`);
  });
});

it.each([specum, speckit, openspec])("says how to begin in a project of $plugin", (layout) => {
  const { env } = makePlace(layout);
  const cwd = makeFolder();
  if (layout.marker !== undefined) fillFolder(cwd, { [`${layout.marker}/readme.md`]: "" });
  const { out } = runChild(process.execPath, [join(REPOSITORY, "bin/smart-ralph.cjs")], {
    cwd,
    env: { ...env },
  });
  expect(out).toContain(`There are no ${layout.unit}s here yet.`);
  expect(out).toContain(`  /${layout.plugin}:start <what you want to build>`);
});

it("is one object with --json, with and without a project", () => {
  const place = startPlace(specum);
  expect(place.json([])).toMatchObject({
    version: manifest.version,
    project: place.root,
    status: { spec: "demo", standing: "running", total: 3 },
  });
  expect(place.json([], { cwd: makeFolder() })).toMatchObject({ project: null, status: null });
  expect(place.json(["-C", place.root], { cwd: "/" })).toMatchObject({ project: place.root });
});
