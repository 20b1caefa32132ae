import { execFileSync } from "node:child_process";
import { chmodSync, existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { layouts, specum } from "../support/editions.ts";
import { faultsIn, PATH, REPOSITORY } from "./child.ts";
import { runGate } from "./gate.ts";
import {
  expectRefusal,
  IN_SESSION,
  makePlace,
  openPlace,
  type Place,
  pointerOf,
  SESSION,
  startPlace,
  TASKS,
} from "./support.ts";
import { fillFolder, makeFolder } from "./temporary.ts";

const layout = specum;

const run = (place: Place, ...args: string[]): string => {
  const { code, out, err } =
    args[0] === "implement" ? place.slash(args) : place.run(args, IN_SESSION);
  expect({ code, err }, args.join(" ")).toEqual({ code: 0, err: "" });
  return out;
};

describe("where the project is: $id", () => {
  it.each(["Jörg Müller/mein Projekt (1)", "100% & it's/a;b", "日本語/プロジェクト"])(
    "%s",
    (name) => {
      const home = makeFolder();
      const root = join(home, name);
      const [specs] = layout.specsDirs;
      fillFolder(root, {
        [`${specs}/größe/tasks.md`]: TASKS,
        "src/tief drin/x": "",
        ".git/HEAD": "ref: refs/heads/main\n",
        ".git/objects/": "",
        ".git/refs/": "",
      });
      const place = openPlace(layout, root, join(root, specs, "größe"), home);
      run(place, "implement", "größe");
      for (const cwd of [root, join(root, "src/tief drin")]) {
        const { code, out, err } = runGate(place, { cwd });
        expect({ code, err: faultsIn(err) }).toEqual({ code: 0, err: "" });
        expect(JSON.parse(out)).toMatchObject({ decision: "block" });
      }
      run(place, "done", "1.1", "--report", "TASK_COMPLETE");
      expect(place.tasks()).toContain("[x] 1.1");
    },
  );

  it.each(["C:\\Users\\tess\\p", "c:/users/tess", "\\\\server\\share\\p", "//server/share", "C:"])(
    "the client says %s, and the other place that it names is taken",
    (path) => {
      const place = startPlace(layout);
      const started = { env: { CLAUDE_PROJECT_DIR: place.root } };
      expect(place.stop({ cwd: path }, { ...started, cwd: "/" }).decision).toBe("block");
      expect(place.stop({}, { env: { CLAUDE_PROJECT_DIR: path } }).decision).toBe("block");
    },
  );
});

describe("the gate leaves the paths of Windows to the program", () => {
  it.each(["C:\\Users\\Jörg Müller\\p", "c:\\p", "C:/p", "\\\\server\\share\\p", "D:"])(
    "%s",
    (started) => {
      const bin = makeFolder();
      const mark = join(bin, "mark");
      writeFileSync(join(bin, "node"), `#!/bin/sh\n: >'${mark}'\n`);
      chmodSync(join(bin, "node"), 0o755);
      const place = makePlace(specum);
      const at = { started, cwd: makeFolder(), path: `${bin}:/usr/bin:/bin` };
      expect(runGate(place, at)).toEqual({ code: 0, out: "", err: "" });
      expect(existsSync(mark)).toBe(true);
    },
  );

  it("and the program finds its way from the agent's folder", () => {
    const place = startPlace(specum);
    const { out } = runGate(place, { started: "C:\\p" });
    expect(JSON.parse(out)).toMatchObject({ decision: "block" });
  });
});

describe("two specs that differ in capitals only", () => {
  const isOneName = existsSync(fillFolder(makeFolder(), { "A/": "" }).concat("/a"));

  it.skipIf(isOneName)(
    "are two, where the disk tells them apart, and no third is made beside them",
    () => {
      const place = makePlace(specum, { "specs/Demo/tasks.md": "- [ ] 1.1 Other\n" });
      run(place, "implement", "demo");
      run(place, "implement", "Demo");
      expect(readFileSync(join(place.root, pointerOf(specum)), "utf8")).toBe("Demo\n");
      expect(place.stop({ session_id: SESSION }).reason).toContain(
        "Task 1.1 → ralph-specum:spec-executor: Other",
      );
      expectRefusal(place.run(["new", "demo", "Something else"]), 1, /spec "demo" already exists/i);
      expect(readdirSync(join(place.root, "specs")).sort()).toEqual([
        ".current-spec",
        "Demo",
        "demo",
      ]);
    },
  );
});

it("what a shell reads has Unix line ends on every system", () => {
  const files = layouts.flatMap(({ plugin }) => [
    `plugins/${plugin}/hooks/gate`,
    `plugins/${plugin}/bin/${plugin}`,
  ]);
  const attributes = execFileSync("git", ["check-attr", "eol", "--", ...files], {
    cwd: REPOSITORY,
    encoding: "utf8",
    env: { PATH },
  });
  expect(attributes.trim().split("\n")).toEqual(files.map((file) => `${file}: eol: lf`));
  for (const file of files) expect(readFileSync(join(REPOSITORY, file), "utf8")).not.toMatch(/\r/);
});
