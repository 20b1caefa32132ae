import { execFileSync } from "node:child_process";
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { EXIT } from "../../src/apps/cli/command.ts";
import { specum } from "../support/editions.ts";
import { expectRefusal, makePlace, startPlace, userFileOf } from "./support.ts";

const layout = specum;

describe("cancel", () => {
  const specs = layout.specsDirs[0];

  it("removes the state and leftovers, keeps everything else, and can be repeated", () => {
    const kept = [".progress.md", "design.md", "notes/deep.md"];
    const place = startPlace(
      layout,
      Object.fromEntries(
        [...kept, ".progress-task-1.md"].map((name) => [`${specs}/demo/${name}`, name]),
      ),
    );
    expect(place.slashJson(["cancel"])).toMatchObject({
      code: 0,
      ok: true,
      cancelled: true,
      leftovers: [".progress-task-1.md"],
    });
    expect(readdirSync(place.folder).sort()).toEqual(
      [".progress.md", layout.journalFile, "design.md", "notes", "tasks.md"].sort(),
    );
    const [progress = "", ...others] = kept.map((name) =>
      readFileSync(join(place.folder, name), "utf8"),
    );
    expect(others).toEqual(kept.slice(1));
    // What stood in the leftover is not lost.
    expect(progress).toMatch(
      /^\.progress\.md\n\n[^]*\n\n## Notes left over from 1\n\n\.progress-task-1\.md\n$/,
    );
    expect(place.stop()).toEqual({});
    const entries = place.entries().length;
    expect(place.slashJson(["cancel"])).toMatchObject({ code: 0, ok: true, cancelled: false });
    expect(place.entries()).toHaveLength(entries);
    expect(place.json(["implement"])).toMatchObject({ ok: true, open: 3 });
  });

  it.each<[what: string, make: (path: string) => void]>([
    ["broken", (path) => writeFileSync(path, "{")],
    ["empty", (path) => writeFileSync(path, "")],
    ["a loop of links", (path) => symlinkSync(path, path)],
    ["a FIFO", (path) => void execFileSync("mkfifo", [path])],
    ["a link out", (path) => symlinkSync("/etc/hosts", path)],
  ])("removes a state that is %s", (_, make) => {
    const place = startPlace(layout);
    const state = join(place.folder, layout.stateFile);
    rmSync(state);
    make(state);
    expect(place.slashJson(["cancel"])).toMatchObject({ code: 0, cancelled: true });
    expect(readdirSync(place.folder)).not.toContain(layout.stateFile);
    expect(existsSync("/etc/hosts")).toBe(true);
  });

  it("leaves a folder in the state's place alone", () => {
    const place = makePlace(layout, { [`${specs}/demo/${layout.stateFile}/precious`]: "" });
    expectRefusal(
      place.slash(["cancel"]),
      EXIT.broken,
      /is a folder that we did not create; move it away/,
    );
    expect(existsSync(join(place.folder, layout.stateFile, "precious"))).toBe(true);
  });

  it("ends a run whose state was removed by hand, so that repair does not bring it back", () => {
    const place = startPlace(layout);
    rmSync(join(place.folder, layout.stateFile));
    expect(place.slashJson(["cancel"])).toMatchObject({ code: 0, cancelled: true });
    expectRefusal(place.run(["repair"]), EXIT.missing, /there is nothing to repair/);
  });

  it("works even if the journal cannot be written", () => {
    const place = startPlace(layout);
    rmSync(join(place.folder, layout.journalFile));
    mkdirSync(join(place.folder, layout.journalFile));
    expect(place.slashJson(["cancel"])).toMatchObject({ code: 0, cancelled: true });
    expect(place.state()).toBeUndefined();
  });

  it("--delete-spec says what goes, and removes it only with --yes", () => {
    const place = startPlace(layout, {
      [`${specs}/other/tasks.md`]: "",
      [`${specs}/demo/design.md`]: "",
    });
    const { code, out } = place.slash(["cancel", "--delete-spec"]);
    expect(code).toBe(EXIT.refused);
    expect(out).toContain(`  ./${specs}/demo/design.md\n`);
    expect(out).toContain(`${layout.pointer}\nNothing is removed yet; add --yes to do it.\n`);
    expect(place.state()).toBeDefined();
    const gone = place.slashJson(["cancel", "--delete-spec", "--yes"]);
    expect(gone).toMatchObject({ code: 0, ok: true });
    expect(gone["removed"]).toContain(`./${specs}/demo/tasks.md`);
    expect(existsSync(place.folder)).toBe(false);
    expect(readdirSync(join(place.root, specs))).toEqual(["other"]);
    expect(place.stop()).toEqual({});
  });
});

describe("cancel --delete-spec --yes", () => {
  const yes = ["--delete-spec", "--yes"];

  it.each([
    ["a folder that is no spec", "./src", {}],
    ["a folder inside a spec", "./specs/demo/docs", {}],
    ["a hidden folder where everything is a spec", ".hidden", { specs_dirs: "." }],
  ])("refuses %s", (_, name, settings: { specs_dirs?: string }) => {
    const place = makePlace(specum, {
      "src/main.ts": "",
      "specs/demo/docs/a.md": "",
      "specs/archive/old/tasks.md": "",
      ".hidden/x": "",
      [userFileOf(specum)]: `---\nspecs_dirs: [${settings.specs_dirs ?? "specs"}]\n---\n`,
    });
    expectRefusal(
      place.slash(["cancel", name, ...yes]),
      EXIT.refused,
      /is left alone; move or remove it by hand/,
    );
    for (const file of [
      "src/main.ts",
      "specs/demo/docs/a.md",
      "specs/archive/old/tasks.md",
      ".hidden/x",
    ]) {
      expect(existsSync(join(place.root, file))).toBe(true);
    }
  });

  it("takes a folder that holds other specs for none", () => {
    const place = makePlace(specum, {
      "specs/archive/old/tasks.md": "",
      [userFileOf(specum)]: "---\nspecs_dirs: [specs, specs/archive]\n---\n",
    });
    const ran = place.slash(["cancel", "archive", ...yes]);
    expectRefusal(ran, EXIT.missing, /there is no spec "archive"/);
    expect(existsSync(join(place.root, "specs/archive/old/tasks.md"))).toBe(true);
  });

  it("finds no spec in the folder for specs itself", () => {
    const place = makePlace(specum);
    expectRefusal(place.slash(["cancel", "./specs", ...yes]), EXIT.missing, /there is no spec/);
    expect(existsSync(place.folder)).toBe(true);
  });

  it.each(["../project", "..", "/etc", "./specs/../../project"])("refuses %s", (name) => {
    const place = makePlace(specum);
    expectRefusal(place.slash(["cancel", name, ...yes]), EXIT.usage);
    expect(existsSync(place.folder)).toBe(true);
  });

  it("refuses a link that leads out, and what it leads to stays", () => {
    const place = makePlace(specum);
    const outside = makePlace(specum);
    symlinkSync(outside.folder, join(place.root, "specs/link"));
    expectRefusal(place.slash(["cancel", "link", ...yes]), EXIT.usage, /leads out of the project/);
    expect(outside.tasks()).not.toBe("");
  });

  it("does not remove another spec when the pointer is out of date", () => {
    const place = makePlace(specum, { "specs/.current-spec": "gone\n" });
    expectRefusal(place.slash(["cancel", ...yes]), EXIT.missing, /is out of date/);
    expect(existsSync(place.folder)).toBe(true);
  });

  it("leaves the pointer alone if it names another spec", () => {
    const place = startPlace(specum, {
      "specs/other/tasks.md": "- [ ] 1.1 x\n",
      "specs/.current-spec": "demo\n",
    });
    expect(place.slashJson(["cancel", "other", ...yes])).toMatchObject({ code: 0, ok: true });
    expect(readFileSync(join(place.root, "specs/.current-spec"), "utf8")).toBe("demo\n");
    expect(place.state()).toBeDefined();
  });
});
