import { chmodSync, chownSync, existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { EXIT } from "../../src/apps/cli/command.ts";
import { specum } from "../support/editions.ts";
import { report } from "./claims.ts";
import { runGate } from "./gate.ts";
import {
  expectRefusal,
  findingOf,
  findingsOf,
  makePlace,
  type Place,
  startPlace,
  userFileOf,
} from "./support.ts";
import { fillFolder } from "./temporary.ts";

const layout = specum;

const front = (...lines: readonly string[]): string => `---\n${lines.join("\n")}\n---\n`;

const ignoredIn = (place: Place): string[] =>
  findingsOf(place)
    .filter(({ code }) => code === "settings-ignored")
    .map(({ message }) => /^"(.*?)"/.exec(message)?.[1] ?? message);

describe("a project's settings cannot", () => {
  it.each(["/", "..", "../sibling", "specs/../.."])(
    "make the machine part of the project: specs_dirs with %s",
    (folder) => {
      const place = makePlace(specum, {
        "../sibling/demo/tasks.md": "- [ ] 1.1 Theirs\n  - **Verify**: `touch pwned`\n",
        "../sibling/demo/.ralph-state.json": '{"phase":"execution"}',
        [specum.settingsFile]: front(`specs_dirs: [specs, ${folder}]`),
      });
      const theirs = join(place.root, "../sibling/demo");
      fillFolder(place.root, { "specs/.current-spec": `${theirs}\n` });
      const { out, err } = place.hook("stop");
      expect(out).toBe("");
      expect(err).toContain("leads out of the project");
      expectRefusal(place.run(["implement", theirs]), EXIT.usage, /leads out of the project/);
      expect(ignoredIn(place)).toEqual([`specs_dirs: ${folder}`]);
    },
  );

  it("let cancel --delete-spec remove a neighbouring project", () => {
    const place = makePlace(specum, {
      "../sibling/precious.txt": "",
      [specum.settingsFile]: front("specs_dirs: [specs, ..]"),
    });
    for (const name of ["sibling", "../sibling", join(place.root, "../sibling")])
      expect(place.run(["cancel", name, "--delete-spec", "--yes"]).code).not.toBe(0);
    expect(existsSync(join(place.root, "../sibling/precious.txt"))).toBe(true);
  });

  it("switch evidence off", () => {
    const place = startPlace(specum, {
      "specs/demo/tasks.md": "- [ ] 1.1 First\n  - **Verify**: `exit 4`\n",
      [specum.settingsFile]: front("evidence: off"),
    });
    expect(report(place)).toMatchObject({ ok: false, evidence: [{ outcome: "failed" }] });
    expect(place.tasks()).toContain("- [ ] 1.1");
    expect(ignoredIn(place)).toEqual(["evidence: off"]);
  });

  it("allow more commands than the user's own", () => {
    const tasks = "- [ ] 1.1 First\n  - **Verify**: `touch ran`\n";
    const place = startPlace(specum, {
      "specs/demo/tasks.md": tasks,
      [specum.settingsFile]: front("verify_allow: [touch, npm]"),
      [userFileOf(specum)]: front("verify_allow: [npm test]"),
    });
    expect(report(place)).toMatchObject({ ok: false, evidence: [] });
    expect(existsSync(join(place.root, "ran"))).toBe(false);
  });
});

describe("the settings", () => {
  it("that do not count are named, with the file where they would", () => {
    const loose = [
      "stall_limit: 9",
      "evidence: recorded",
      "verify_timeout: 600",
      "files: off",
      "quick_mode_default: true",
      "branch: worktree",
      "default_max_iterations: 9",
    ];
    const place = makePlace(layout, { [layout.settingsFile]: front(...loose) });
    expect(ignoredIn(place).toSorted()).toEqual(loose.toSorted());
    expect(findingOf(place, "settings-ignored")).toMatchObject({
      severity: "warning",
      target: layout.settingsFile,
      fix: `if you want it, put it into ${join(place.root, userFileOf(layout))}`,
    });
    fillFolder(place.root, { [userFileOf(layout)]: front(...loose) });
    expect(ignoredIn(place)).toEqual([]);
  });

  it("that are about run count only in the user's own file, and are named", () => {
    const run = ["agents: claude", "run_max_cost: 500", "notify: touch notified"];
    const place = makePlace(layout, { [layout.settingsFile]: front(...run) });
    expect(ignoredIn(place)).toEqual(run);
    fillFolder(place.root, { [layout.settingsFile]: "", [userFileOf(layout)]: front(...run) });
    expect(ignoredIn(place)).toEqual([]);
  });

  it("that the user has written hold in every project, from XDG_CONFIG_HOME too", () => {
    const settings = { [userFileOf(layout)]: front("enabled: false") };
    const place = makePlace(layout, settings);
    expectRefusal(place.run(["implement", "demo"]), EXIT.refused, /set enabled: true in \S+\.md/);
    expect(findingOf(place, "disabled")?.target).toBe(join(place.root, userFileOf(layout)));
    const config = join(place.root, "../elsewhere");
    const env = { XDG_CONFIG_HOME: config };
    expect(place.run(["implement", "demo"], { env }).code).toBe(0);
    fillFolder(config, { [`smart-ralph/${layout.plugin}.md`]: front("enabled: false") });
    expect(place.run(["implement", "demo"], { env }).code).toBe(EXIT.refused);
  });

  it("may have specs outside the project, if they are the user's own", () => {
    const place = makePlace(layout, {
      "../far/demo2/tasks.md": "- [ ] 1.1 First\n",
    });
    const far = join(place.root, "../far");
    const folders = front(`specs_dirs: [${layout.specsDirs[0]}, ${far}]`);
    fillFolder(place.root, { [userFileOf(layout)]: folders });
    expect(place.json(["implement", "demo2"])).toMatchObject({ ok: true, open: 1 });
    expect(place.stop().decision).toBe("block");
    expect(existsSync(join(far, "demo2", layout.journalFile))).toBe(true);
  });

  it.each<[what: string, spoil: (path: string) => void, says: RegExp]>([
    ["others may write", (path) => chmodSync(path, 0o666), /other users may write it/],
    // Only root can give a file away.
    ...(process.getuid?.() === 0
      ? [
          [
            "belongs to somebody else",
            (path: string) => chownSync(path, 4242, 4242),
            /user 4242/,
          ] as [string, (path: string) => void, RegExp],
        ]
      : []),
  ])("do not count in a file of the user's that %s", (_, spoil, says) => {
    const place = makePlace(layout, { [userFileOf(layout)]: front("enabled: false") });
    const path = join(place.root, userFileOf(layout));
    expect(findingOf(place, "disabled")).toBeDefined();
    spoil(path);
    expect(findingOf(place, "disabled")).toBeUndefined();
    expect(findingOf(place, "user-settings")).toMatchObject({ severity: "warning", target: path });
    expect(findingOf(place, "user-settings")?.message).toMatch(says);
  });

  it("are the project's, wherever the environment says that the user's are", () => {
    const config = "tools/config";
    const place = makePlace(layout, {
      [`${config}/smart-ralph/${layout.plugin}.md`]: front("evidence: off"),
    });
    const env = { XDG_CONFIG_HOME: join(place.root, config) };
    expect(findingOf(place, "user-settings", { env })?.message).toContain("it is in the project");
  });
});

it.each(["specs_dirs: [docs/specs]", "Specs_Dirs:docs/specs"])(
  "the gate starts node if only the user's own settings say where specs are: %s",
  (said) => {
    const place = makePlace(specum, {
      "docs/specs/.current-spec": "moved\n",
      "docs/specs/moved/.ralph-state.json": '{"phase":"execution"}',
      "docs/specs/moved/tasks.md": "- [ ] 1.1 moved\n",
      [userFileOf(specum)]: front("stall_limit: 2"),
    });
    expect(runGate(place).out).toBe("");
    fillFolder(place.root, { [userFileOf(specum)]: front(said) });
    expect(runGate(place).out).toContain("docs/specs/moved has a run that was not started");
    expect(readFileSync(join(place.root, "docs/specs/.current-spec"), "utf8")).toBe("moved\n");
  },
);
