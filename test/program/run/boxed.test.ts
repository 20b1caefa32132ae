import {
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import type { DemoStep } from "../../../src/agents/demo/script.ts";
import { openSandbox } from "../../../src/exec/sandbox.ts";
import { makeNight, type Night } from "./night.ts";
import { COMPLETE, fileOf, scene, until } from "./scenes.ts";

const opened = openSandbox("bwrap", { network: true, image: undefined });
const why = opened.kind === "ok" ? "" : ` (skipped: ${opened.why})`;

const BOX = ["--sandbox", "bwrap"];
const AS = "-c user.name=a -c user.email=a@b";
const SETTINGS = "default_max_iterations: 3\nrun_writable: [~/count]";

/** An agent that commits its own work, with what `before` does first. */
const commits = (id: string, ...before: readonly DemoStep[]): readonly DemoStep[] => [
  ...before,
  { write: fileOf(id), text: "done\n" },
  { run: `git add -A . && git ${AS} commit -qm 'own ${id}'` },
  COMPLETE,
];

function boxedNight(tags: string, ...before: readonly DemoStep[]): Night {
  const ids = ["1.1", "1.2", "1.3"];
  const night = makeNight({
    settings: SETTINGS,
    rows: ids.map((id) => ({
      id,
      tags: id === "1.1" ? "" : tags,
      verify: `git status --porcelain && git log -1 --format=%s && git diff --exit-code -- code.txt && grep -q done ${fileOf(id)}`,
    })),
  });
  night.scenes(ids.map((id) => scene(id, commits(id, ...(id === "1.2" ? before : [])))));
  return night;
}

const FILES = ["t1-1.txt", "t1-2.txt", "t1-3.txt"];
const filesIn = (night: Night, branch: string): string[] =>
  night.git("ls-tree", "--name-only", branch).split("\n");

/** Private folders that were not removed. */
const boxesLeft = (night: Night): string[] =>
  readdirSync(join(night.home, ".local/state/smart-ralph"), {
    recursive: true,
    encoding: "utf8",
  }).filter((name) => /(?:^|\/)\.sandbox\b[^/]*$/.test(name));

describe.skipIf(opened.kind !== "ok")(`a whole run in bwrap${why}`, () => {
  it.each([
    { name: "one after the other", tags: "", args: [] },
    { name: "at the same time", tags: "[P]", args: ["--parallel", "2"] },
  ])("brings every commit to the run's branch, tasks $name", async ({ tags, args }) => {
    const night = boxedNight(tags);
    const ended = await night.run([...BOX, ...args]);
    expect({ code: ended.code, end: ended.events.at(-1) }).toMatchObject({ code: 0 });
    expect(filesIn(night, "smart-ralph/demo")).toEqual(expect.arrayContaining(FILES));
    expect(night.work().sort()).toEqual(["begin", "own 1.1", "own 1.2", "own 1.3"]);
    expect(boxesLeft(night)).toEqual([]);
    expect(night.cli("take", "demo")).toMatchObject({ code: 0 });
    expect(filesIn(night, "main")).toEqual(expect.arrayContaining(FILES));
    expect(night.git("status", "--porcelain")).toBe("");
  });

  it("works in the user's own tree, with --here", async () => {
    const night = boxedNight("");
    const ended = await night.run([...BOX, "--here"]);
    expect({ code: ended.code, end: ended.events.at(-1) }).toMatchObject({ code: 0 });
    expect(filesIn(night, "main")).toEqual(expect.arrayContaining(FILES));
    expect(boxesLeft(night)).toEqual([]);
  });

  it.each([
    { name: "and commits", run: `git add -A . && git ${AS} commit -qm resolved` },
    { name: "and leaves the commit to us", run: "git add -A ." },
  ])(
    "an agent resolves a conflict $name; one that aborts the merge drops nothing",
    async ({ run }) => {
      const night = makeNight({
        settings: SETTINGS,
        rows: ["1.1", "1.2"].map((id) => ({
          id,
          tags: "[P]",
          verify: `grep -q "${id} done" code.txt`,
        })),
      });
      const real = join(night.root, ".git");
      const isMerged = `git --git-dir=${real} log --format=%s smart-ralph/demo | grep -q 'own 1.1'`;
      const work = (id: string): readonly DemoStep[] => [
        { write: "code.txt", text: `${id} done\n` },
        { run: `git ${AS} commit -qam 'own ${id}'` },
      ];
      night.scenes([
        {
          when: "# Resolve a merge conflict",
          attempts: [
            [
              {
                first: 1,
                count: night.counter("tries"),
                steps: [{ run: "git merge --abort" }, COMPLETE],
              },
              { write: "code.txt", text: "1.1 done\n1.2 done\n" },
              { run },
              COMPLETE,
            ],
          ],
        },
        scene("1.1", [...work("1.1"), COMPLETE]),
        scene("1.2", [...work("1.2"), until(isMerged), COMPLETE]),
      ]);
      const ended = await night.run([...BOX, "--parallel", "2"]);
      expect({ code: ended.code, end: ended.events.at(-1) }).toMatchObject({ code: 0 });
      expect(night.git("show", "smart-ralph/demo:code.txt")).toBe("1.1 done\n1.2 done");
      expect(readFileSync(night.counter("tries"), "utf8").length).toBe(2);
    },
  );

  it.each(["", "--here"])("kill -9 in the middle loses no commit %s", async (here) => {
    const night = boxedNight("");
    const flag = night.counter("committed");
    night.scenes([
      scene("1.2", [
        {
          first: 1,
          count: night.counter("first"),
          steps: [
            { write: "precious.txt", text: "precious\n" },
            { run: `git add -A . && git ${AS} commit -qm precious && rm precious.txt` },
            { run: `touch ${flag}` },
            { hang: true },
          ],
        },
        ...commits("1.2"),
      ]),
      ...["1.1", "1.3"].map((id) => scene(id, commits(id))),
    ]);
    const args = [...BOX, ...(here === "" ? [] : [here])];
    const child = night.start(args);
    const ended = night.wait(child);
    for (let look = 0; look < 600 && !existsSync(flag); look++) await delay(50);
    child.kill("SIGKILL");
    await ended;
    expect(night.git("log", "--all", "--format=%s")).not.toContain("precious");
    const last = await night.wait(night.start(args));
    expect({ code: last.code, end: last.events.at(-1) }).toMatchObject({ code: 0 });
    expect(night.git("log", "--all", "--format=%s")).toContain("precious");
    expect(boxesLeft(night)).toEqual([]);
  });

  it("take brings what a killed run's agent committed", async () => {
    const night = boxedNight("");
    const flag = night.counter("committed");
    night.scenes([
      scene("1.1", [...commits("1.1").slice(0, -1), { run: `touch ${flag}` }, { hang: true }]),
    ]);
    const child = night.start(BOX);
    const ended = night.wait(child);
    for (let look = 0; look < 600 && !existsSync(flag); look++) await delay(50);
    child.kill("SIGKILL");
    await ended;
    expect(night.cli("take", "demo")).toMatchObject({ code: 0 });
    expect(filesIn(night, "main")).toContain("t1-1.txt");
    expect(boxesLeft(night)).toEqual([]);
  });

  describe.each(["", "--here"])("%s", (here) => {
    it.each([
      { name: "a log", plant: (g: string, out: string) => `ln -sf ${out}/victim ${g}/logs/HEAD` },
      {
        name: "our refs",
        plant: (g: string, out: string) =>
          `rm -rf ${g}/refs/smart-ralph; ln -s ${out} ${g}/refs/smart-ralph`,
      },
      {
        name: "folders of objects",
        plant: (g: string, out: string) =>
          `cd ${g}/objects && for i in 0 1 2 3 4 5 6 7 8 9 a b c d e f; do for j in 0 1 2 3 4 5 6 7 8 9 a b c d e f; do test -e $i$j || ln -s ${out} $i$j; done; done; cd -`,
      },
    ])("$name as links: no git outside writes through them", async ({ plant }) => {
      const night = boxedNight("");
      const out = join(night.home, "elsewhere");
      mkdirSync(out);
      writeFileSync(join(out, "victim"), "precious\n");
      const real = join(night.root, ".git");
      const run = ['"$(git rev-parse --git-common-dir)"', '"$(git rev-parse --git-dir)"', real]
        .map((folder) => plant(folder, out))
        .join("; ");
      night.scenes([
        scene("1.2", [...commits("1.2").slice(0, -1), { run }, COMPLETE]),
        ...["1.1", "1.3"].map((id) => scene(id, commits(id))),
      ]);
      const ended = await night.run([...BOX, ...(here === "" ? [] : [here])]);
      if (here === "") expect(night.cli("take", "demo")).toMatchObject({ code: 0 });
      expect(ended.code).toBe(0);
      expect(readdirSync(out)).toEqual(["victim"]);
      expect(readFileSync(join(out, "victim"), "utf8")).toBe("precious\n");
      expect(filesIn(night, "main")).toEqual(expect.arrayContaining(FILES));
      expect(lstatSync(join(real, "logs/HEAD")).isFile()).toBe(true);
    });
  });
});
