import { lstatSync, mkdirSync, readdirSync, readFileSync, renameSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { beforeEach, describe, expect, it } from "vitest";
import { fillFolder, makeFolder } from "../../test/program/temporary.ts";
import type { Grounds } from "./containment.ts";
import {
  appendProjectLine,
  makeProjectFolder,
  readProjectFile,
  readProjectBeginning,
  readProjectTail,
  removeProjectFile,
  writeProjectFile,
} from "./project-file.ts";

const OUT = /out of the project/;

let home: string;
let project: Grounds;
const at = (path: string): string => join(project.root, path);

/** A project with a link of every kind, next to something that does not belong to it. */
beforeEach(() => {
  home = fillFolder(makeFolder(), {
    "outside/secret": "secret\n",
    "common/file": "common\n",
    "project/folder/file": "file\n",
  });
  project = { root: join(home, "project"), outside: [join(home, "common")] };
  for (const [place, target] of [
    ["out", "../outside/secret"],
    ["folder/out", "../../outside/secret"],
    ["way", "../outside"],
    ["inner", "folder/file"],
    ["inside", "folder"],
    ["there", "../common/file"],
    ["nowhere", "../outside/new"],
    ["loop", "loop"],
  ] as const)
    symlinkSync(target, at(place));
});

describe("reading", () => {
  const READERS = { readProjectFile, readProjectTail, readProjectBeginning };
  describe.each(Object.entries(READERS))("%s", (_, read) => {
    it.each([
      ["folder/file", "file\n"],
      ["inner", "file\n"],
      ["inside/file", "file\n"],
      ["there", "common\n"],
      ["../common/file", "common\n"],
      ["out", OUT],
      ["folder/out", OUT],
      ["inside/out", OUT],
      ["way/secret", OUT],
      ["../outside/secret", OUT],
      ["gone", "absent"],
      ["gone/too", "absent"],
      ["nowhere", "absent"],
      ["loop", /loop of symbolic links/],
      ["loop/file", /loop of symbolic links/],
    ])("%s: %s", (path, expected) => {
      const file = read(project, at(path), 4096);
      const said = file.kind === "ok" ? file.text : file.kind === "absent" ? file.kind : file.why;
      if (typeof expected === "string") expect(said).toBe(expected);
      else expect(said).toMatch(expected);
    });
  });

  it("asks once about a folder, and every time about a file", () => {
    expect(readProjectFile(project, at("folder/file"), 4096)).toMatchObject({ kind: "ok" });
    renameSync(at("folder/out"), at("folder/file"));
    expect(readProjectFile(project, at("folder/file"), 4096)).toMatchObject({ kind: "unreadable" });
  });
});

/** Whatever is done, nothing outside has changed. */
function expectUntouched(): void {
  expect(readdirSync(join(home, "outside"))).toEqual(["secret"]);
  expect(readFileSync(join(home, "outside/secret"), "utf8")).toBe("secret\n");
}

describe("writing", () => {
  it.each([
    ["folder/new", "folder/new"],
    ["inner", "folder/file"],
    ["inside/new", "folder/new"],
    ["there", "../common/file"],
  ])("%s writes %s", (path, written) => {
    writeProjectFile(project, at(path), "new");
    expect(readFileSync(at(written), "utf8")).toBe("new");
    expectUntouched();
  });

  it.each(["out", "folder/out", "nowhere", "loop"])(
    "replaces %s, and what it leads to stays",
    (path) => {
      writeProjectFile(project, at(path), "new");
      expect(lstatSync(at(path)).isFile()).toBe(true);
      expectUntouched();
    },
  );

  it.each(["way/new", "way/secret", "../outside/new"])("refuses %s", (path) => {
    expect(() => writeProjectFile(project, at(path), "new")).toThrow(OUT);
    expect(() => appendProjectLine(project, at(path), "new\n")).toThrow(OUT);
    expect(() => removeProjectFile(project, at(path))).toThrow(OUT);
    expectUntouched();
  });

  it("looks again at a folder that it has read from", () => {
    readProjectFile(project, at("folder/file"), 4096);
    renameSync(at("folder"), at("was"));
    symlinkSync("../outside", at("folder"));
    expect(() => writeProjectFile(project, at("folder/secret"), "new")).toThrow(OUT);
    expectUntouched();
  });

  it("appends through no link", () => {
    for (const path of ["out", "inner"])
      expect(() => appendProjectLine(project, at(path), "new\n")).toThrow("it is a symbolic link");
    expectUntouched();
  });

  it("removes a link and not what it leads to", () => {
    removeProjectFile(project, at("out"));
    expect(readdirSync(project.root)).not.toContain("out");
    expectUntouched();
  });
});

describe("making folders", () => {
  it.each(["a/b/c", "folder/x", "inside/x", "../common/x"])("%s", (path) => {
    makeProjectFolder(project, at(path));
    mkdirSync(at(`${path}/y`));
  });

  it.each(["way", "way/x/y", "../outside/x", "../new", "nowhere", "nowhere/x"])(
    "refuses %s",
    (path) => {
      expect(() => makeProjectFolder(project, at(path))).toThrow(OUT);
      expectUntouched();
      expect(readdirSync(home).sort()).toEqual(["common", "outside", "project"]);
    },
  );
});

describe("the door", () => {
  /** Files that are not the project's, and what they are instead. */
  const OTHERS: Readonly<Record<string, string>> = {
    "store/git-files.ts": "git's own",
    "git/place.ts": "git's own",
    "git/checkpoint.ts": "git's own index, copied",
    "store/vault.ts": "the user's own folder, outside of every project",
    "store/tickets.ts": "the user's own folder, outside of every project",
    "git/linked-work-tree.ts": "git's own",
    "git/scratch-index.ts": "git's own",
    "git/submodule-work.ts": "git's own",
    "git/keep-all.ts": "git's own",
    "git/unlock-tree.ts": "git's own",
    "git/restore-tree.ts": "what git tracks, put back as it was",
    "apps/guard/main.ts": "the demo's own folder",
    "git/reset-to-checkpoint.ts": "what git tracks, put back as it was",
    "hosts/claude/transcript.ts": "the client's",
    "hosts/transcript.ts": "the client's",
    "store/settings-files.ts": "the user's own settings",
    "store/run-settings-file.ts": "the user's own settings",
    "store/lock.ts": "locks, made and removed by name in a folder that was found",
    "store/leftovers.ts": "plain files of dead processes, removed by name",
    "engine/doctor/settings.ts": "the user's own settings",
    "hosts/settings-file.ts": "the client's settings, of which nothing is shown",
    "engine/create-spec.ts": "the new folder of a spec, in one that was made through the door",
    "engine/cancel-run.ts": "a spec's whole folder, where the user says so",
    "codemap/scan-files.ts": "source files, of which links are not listed",
    "apps/demo/agent.ts": "the demo's own folder",
    "apps/demo/demo.ts": "the demo's own folder",
    "apps/demo/project.ts": "the demo's own folder",
    "apps/demo-agent/main.ts": "the tree that an agent of ours works in",
    "apps/run/demo-run.ts": "the demo's own folder",
    "apps/run/run-command.ts": "scenes of the built-in agent, that the user names",
    "apps/run/attempt-log.ts": "the user's own folder, outside of every project",
    "apps/run/detach.ts": "the user's own folder, outside of every project",
    "apps/run/detached.ts": "the user's own folder, outside of every project",
    "store/inbox.ts": "the user's own folder, outside of every project",
    "exec/end-group.ts": "the system's own",
    "git/git-links.ts": "git's own",
    "git/private-folder.ts": "git's own, and the user's own folder",
    "git/collect-private.ts": "the user's own folder, outside of every project",
    "git/overlooked.ts": "git's own rules of what to ignore, compared and not shown",
    "git/repair-tree.ts": "git's own, of a run's tree",
    "git/watch-outside.ts": "git's own",
    "store/lease.ts": "the user's own folder, outside of every project",
    "store/clients.ts": "the user's own folder, outside of every project",
    "store/process-stat.ts": "the system's own",
    "hosts/client-process.ts": "the system's own",
    "hosts/claude/package.ts": "the source of a plugin, read when it is built",
    "hosts/commands.ts": "the source of a plugin, read when it is built",
    "hosts/codex/setup.ts": "the client's settings, of which nothing is shown",
    "hosts/codex/package.ts": "the source of a package, read when it is built",
    "hosts/gemini/foreign.ts": "the client's own commands and log, of which nothing is shown",
    "hosts/opencode/setup.ts": "the client's settings, of which nothing is shown",
    "hosts/opencode/plugin/menu.ts": "the plugin's own command files",
    "store/session-spec.ts": "the user's own folder, outside of every project",
    "hosts/package-files.ts": "the source of a package, read when it is built",
    "apps/hook/typed-command.ts": "the plugin's own command files",
    "apps/load/bundle.ts": "the program's own files",
    "apps/load/code-cache.ts": "the user's own folder, outside of every project",
    "git/clean-tree.ts": "our own temporary folder",
    "git/own-tree.ts": "the run's own work trees",
    "git/share-folders.ts": "installed folders that git ignores, copied into a tree of ours",
    "git/python-environment.ts": "the copy of such a folder",
    "git/aside.ts": "new files that git lists, kept in a commit first",
    "store/vault-copy.ts": "the user's own folder, outside of every project",
    "engine/trunk-record.ts": "the vault: which tree is which run's",
    "engine/task-file.ts": "a list of tasks that the user names, wherever it lies",
    "engine/start-facts.ts": "a plan that the user names, wherever it lies",
  };

  it("is the only way to a project's files", () => {
    const source = join(import.meta.dirname, "..");
    const direct = (readdirSync(source, { recursive: true }) as string[])
      .filter((name) =>
        /^(?:store|git|exec|hosts|epic|codemap|engine|apps)\b.*(?<!\.test)\.ts$/.test(name),
      )
      .filter((name) => !/^store.(?:read|write|project-file)\.ts$/.test(name))
      .filter((name) =>
        /\b(?:readText|textAt|readTail|readBeginning|writeWhole|writePrivate|makeFolder|appendLine|removeFile|(?:readFile|writeFile|appendFile|open|rm|rmdir|rename|unlink|copyFile|cp|mkdir|symlink|truncate)Sync)\(/.test(
          readFileSync(join(source, name), "utf8"),
        ),
      );
    expect(direct.map((name) => name.replaceAll("\\", "/")).sort()).toEqual(
      Object.keys(OTHERS).sort(),
    );
  });
});
