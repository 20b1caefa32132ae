import { execFileSync } from "node:child_process";
import { chmodSync, existsSync, rmSync } from "node:fs";
import { delimiter, join } from "node:path";
import { describe, expect, it } from "vitest";
import { EXIT } from "../../src/apps/cli/command.ts";
import { specum } from "../support/editions.ts";
import { makeRepository } from "../support/repository.ts";
import { layTrap } from "../support/trap.ts";
import { REPOSITORY, runChild } from "./child.ts";
import { findingOf, findingsOf, makePlace, pointerOf, startPlace } from "./support.ts";
import { fillFolder } from "./temporary.ts";

const layout = specum;

it("says each thing once, and asks about no layout whose folder another one uses", () => {
  const place = makePlace(specum, {
    ".specify/memory/constitution.md": "# Constitution\n",
    "openspec/changes/x/tasks.md": "- [ ] 1.1 a\n",
    "../bin/qwen": "#!/bin/sh\necho 0.24.4\n",
  });
  chmodSync(join(place.root, "../bin/qwen"), 0o755);
  const lines = (): string[] =>
    runChild(process.execPath, [join(REPOSITORY, "bin/smart-ralph.cjs"), "doctor"], {
      cwd: place.root,
      env: { ...place.env, PATH: `${place.root}/../bin${delimiter}${place.env["PATH"]}` },
    })
      .out.split("\n")
      .filter((line) => line.includes("qwen"));
  expect(lines().filter((line) => line.includes("is not installed"))).toEqual([
    expect.stringContaining("ralph-speckit is not"),
    expect.stringContaining("ralph-openspec is not"),
  ]);
  fillFolder(join(place.root, "../.qwen/extensions/smart-ralph"), {
    ".qwen-extension-install.json": '{"type": "local"}',
    "qwen-extension.json": '{"version": "4.6.0"}',
  });
  expect(lines().filter((line) => line.includes("4.6.0 is enabled"))).toHaveLength(1);
});

describe("doctor", () => {
  it("accepts a healthy run", () => {
    const place = startPlace(layout);
    expect(place.json(["doctor"])).toMatchObject({ code: 0, ok: true });
    // Which clients are installed, and whether there are PID namespaces, depends on the machine.
    const others = new Set(["claude", "agents", "processes"]);
    const found = findingsOf(place).filter(({ code }) => !others.has(code));
    expect(found.map(({ severity, code }) => `${severity} ${code}`)).toEqual([
      "ok node",
      "ok vault",
      "ok stop-hooks",
      "info plugin",
      "info git",
      "ok disk",
      "info unattended",
      "ok pointer",
      "ok state",
    ]);
    const { out } = place.run(["doctor"]);
    expect(out).toMatch(/^ok +node \d+/);
    expect(out).toMatch(/processes of a run: (?:own PID namespace|found by search \(.+\))$/m);
  });

  it("says what a run would miss: space on the disk, and whose commits it makes", () => {
    const place = startPlace(layout);
    execFileSync("git", ["init", "-q"], { cwd: place.root });
    fillFolder(join(place.root, "../.config/smart-ralph"), {
      [`${layout.plugin}.md`]: "---\nrun_min_free: 9000TB\n---\n",
    });
    const found = findingsOf(place).map(({ severity, code }) => `${severity} ${code}`);
    expect(found).toContain("error disk");
    expect(found.some((one) => /^(?:ok|info) identity$/.test(one))).toBe(true);
  });

  const state = `${layout.specsDirs[0]}/demo/${layout.stateFile}`;
  const pointer = pointerOf(layout);
  it.each<
    [
      what: string,
      files: Record<string, string>,
      code: string,
      severity: string,
      says: RegExp,
      fix: RegExp,
    ]
  >([
    [
      "a corrupt state",
      { [state]: "{" },
      "state",
      "error",
      /cannot be used: it is not valid JSON/,
      /:implement demo rebuilds it/,
    ],
    [
      "a state that is a folder",
      { [`${state}/`]: "" },
      "state",
      "error",
      /it is not a file/,
      /:implement demo/,
    ],
    [
      "a pointer to nothing",
      { [pointer]: "gone\n" },
      "pointer",
      "error",
      /there is no \w+ "gone"/,
      /:implement <name> sets it/,
    ],
    ["an empty pointer", { [pointer]: "\n" }, "pointer", "error", /is empty/, /sets it/],
    [
      "a pointer that leads out",
      { [pointer]: "../../etc\n" },
      "pointer",
      "error",
      /leads out of the project/,
      /sets it/,
    ],
    [
      "a disabled plugin",
      { [layout.settingsFile]: "---\nenabled: 'False'\n---\n" },
      "disabled",
      "warning",
      /is disabled here/,
      /set enabled: true/,
    ],
    [
      "settings without front matter",
      { [layout.settingsFile]: "enabled: false\n" },
      "settings",
      "warning",
      /no front matter/,
      /between two lines ---/,
    ],
    [
      "settings whose front matter never ends",
      { [layout.settingsFile]: "---\nenabled: yes\n\n# Notes\n" },
      "settings",
      "warning",
      /the front matter never ends/,
      /end it with a line ---/,
    ],
    [
      "a value that is not understood",
      { [layout.settingsFile]: "---\nenabled: flase\n---\n" },
      "settings",
      "warning",
      /"enabled: flase" is not understood/,
      /enabled: false switches the plugin off/,
    ],
    [
      "a line that is not understood",
      { [layout.settingsFile]: "---\nenabled = false\n---\n" },
      "settings",
      "warning",
      /"enabled = false" is not a setting/,
      /key: value/,
    ],
    [
      "a plugin that is disabled in a hurry",
      { [layout.settingsFile]: "\n# Settings\n---\nEnabled:no\n---\n" },
      "disabled",
      "warning",
      /is disabled here/,
      /set enabled: true/,
    ],
    [
      "a folder that is not there",
      { [layout.settingsFile]: `---\nspecs_dirs: [gone, ${layout.specsDirs[0]}]\n---\n` },
      "specs-dir",
      "warning",
      /\.\/gone is in specs_dirs but does not exist/,
      /remove it from specs_dirs/,
    ],
  ])("finds %s, and says what fixes it", (_, files, code, severity, says, fix) => {
    const place = makePlace(layout, files);
    const finding = findingOf(place, code);
    expect(finding).toMatchObject({ severity, message: expect.stringMatching(says) as string });
    expect(finding?.fix).toMatch(fix);
    const ran = place.run(["doctor"]);
    expect(ran.code).toBe(severity === "error" ? EXIT.refused : EXIT.ok);
    expect(ran.out).toContain(`→ ${finding?.fix}`);
  });

  it("finds a run that lost its tasks.md, and one that a service error ended", () => {
    const place = startPlace(layout);
    place.hook("stop-failure", { error: "overloaded" });
    expect(findingOf(place, "service-error")).toMatchObject({
      message: expect.stringContaining("overloaded") as string,
      fix: `/${layout.plugin}:resume continues`,
    });
    rmSync(join(place.folder, "tasks.md"));
    expect(findingOf(place, "tasks")).toMatchObject({
      severity: "error",
      fix: expect.stringContaining(":cancel demo") as string,
    });
  });

  it("finds a state that git tracks", () => {
    const name = "it's \u00e9";
    const place = startPlace(layout, {
      [`${layout.specsDirs[0]}/${name}/${layout.stateFile}`]: "{}",
    });
    const git = (...args: string[]) =>
      execFileSync("git", args, { cwd: place.root, env: place.env });
    git("init", "-q");
    expect(findingOf(place, "tracked")).toBeUndefined();
    git("add", "-f", ".");
    const tracked = findingsOf(place).filter(({ code }) => code === "tracked");
    expect(tracked.map(({ target }) => target)).toContain(
      `${layout.specsDirs[0]}/${name}/${layout.stateFile}`,
    );
    for (const { fix } of tracked)
      execFileSync("sh", ["-c", fix ?? ""], { cwd: place.root, env: place.env });
    expect(findingOf(place, "tracked")).toBeUndefined();
  });

  it("looks for them in this repository, and runs nothing that the project brings along", () => {
    const place = makePlace(layout, { [pointerOf(layout)]: "" });
    const marker = layTrap(place.root);
    const other = makeRepository();
    other.commit({ [pointerOf(layout)]: "" });
    const options = { env: { GIT_DIR: `${other.root}/.git`, GIT_WORK_TREE: other.root } };
    expect(findingOf(place, "tracked", options)).toBeUndefined();
    expect(findingOf(place, "tracked")).toBeUndefined();
    expect(existsSync(marker)).toBe(false);
  });
});
