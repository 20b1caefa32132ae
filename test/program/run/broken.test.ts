import {
  existsSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  symlinkSync,
  unlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { makeFolder } from "../temporary.ts";
import type { Night } from "./night.ts";
import { honest, scene, until } from "./scenes.ts";
import { threeTasks } from "./three-tasks.ts";

/** Three tasks. The second one's agent does its work and then, once, runs this command. */
const nightWith = (command: string, tags = ""): Night =>
  threeTasks(command, tags, (once, write, complete) => [write, once, complete]);

/** The branch has every task, in commits on top of the user's. */
async function expectWhole(night: Night, ...args: string[]) {
  const ran = await night.run(args);
  expect({ code: ran.code, end: ran.events.at(-1) }).toMatchObject({ code: 0 });
  const files = night.git("ls-tree", "-r", "--name-only", "smart-ralph/demo").split("\n");
  expect(files).toEqual(expect.arrayContaining(["t1-1.txt", "t1-2.txt", "t1-3.txt"]));
  expect(night.git("merge-base", "main", "smart-ralph/demo")).toBe(night.git("rev-parse", "main"));
  return ran;
}

/** In a group, both agents are at work when the links are made: none of our own steps is under way. */
function besides(night: Night, command: string): void {
  const [begun, made] = [night.counter("begun"), night.counter("made")];
  const plant = [until(`test -e ${begun}`), { run: command }, { run: `touch ${made}` }];
  night.scenes([
    scene("1.2", [{ first: 1, count: night.counter("plant"), steps: plant }, ...honest("1.2")]),
    scene("1.3", [{ run: `touch ${begun}` }, until(`test -e ${made}`), ...honest("1.3")]),
  ]);
}

const OWN = "$(git rev-parse --git-dir)";
const AS = "-c user.name=a -c user.email=a@b";

describe.each([
  { name: "an index that git cannot read", command: `echo rubbish > ${OWN}/index` },
  { name: "no index", command: `rm ${OWN}/index` },
  { name: "a lock", command: `touch ${OWN}/index.lock ${OWN}/HEAD.lock` },
  { name: "a merge", command: `git rev-parse HEAD > ${OWN}/MERGE_HEAD` },
  { name: "no HEAD", command: `rm ${OWN}/HEAD` },
  { name: "no branch", command: `git update-ref -d "$(git symbolic-ref HEAD)"` },
  {
    name: "another repository",
    command: `b=$(git symbolic-ref --short HEAD); rm .git; git init -q && git add -A && git ${AS} commit -qm all && git branch -m "$b"`,
  },
])("an agent that leaves $name", ({ command }) => {
  it("does not finish without a commit, in the run's own tree", async () => {
    await expectWhole(nightWith(command));
  });

  it("does not finish without a commit, in a group", async () => {
    await expectWhole(nightWith(command, "[P]"), "--parallel", "2");
  });
});

describe.each([{ tags: "" }, { tags: "[P]" }])(
  "what an agent prepares for our own git $tags",
  ({ tags }) => {
    const args = tags === "" ? [] : ["--parallel", "2"];

    it("links: our git writes nothing through them", async () => {
      const victim = join(makeFolder(), "victim");
      writeFileSync(victim, "precious\n");
      const command = [
        `g=${OWN}; c=$(git rev-parse --git-common-dir); b=$(git symbolic-ref HEAD)`,
        ...[
          "$g/COMMIT_EDITMSG",
          "$g/logs/HEAD",
          "$g/ORIG_HEAD",
          "$g/MERGE_MSG",
          '"$c/logs/$b"',
        ].map((path) => `ln -sf '${victim}' ${path}`),
      ].join("; ");
      const { events } = await expectWhole(nightWith(command, tags), ...args);
      expect(readFileSync(victim, "utf8")).toBe("precious\n");
      const refused = events.flatMap((event) => (event.kind === "refused" ? [event.reason] : []));
      expect(refused).toContainEqual(
        expect.stringMatching(/these became links: \.git\/.*were removed/),
      );
    });

    it.each([
      {
        name: "logs/HEAD",
        command: (out: string) => `ln -sf ${out}/victim $c/logs/HEAD`,
      },
      {
        name: "refs/smart-ralph/aside",
        command: (out: string) => `ln -s ${out} $c/refs/smart-ralph/aside`,
      },
      {
        name: "objects/",
        command: (out: string) =>
          `cd $c/objects && for i in 0 1 2 3 4 5 6 7 8 9 a b c d e f; do for j in 0 1 2 3 4 5 6 7 8 9 a b c d e f; do test -e $i$j || ln -s ${out} $i$j; done; done`,
      },
    ])("links at $name of the repository are removed and named", async ({ name, command }) => {
      const out = makeFolder();
      writeFileSync(join(out, "victim"), "precious\n");
      const night = nightWith(`c=$(git rev-parse --git-common-dir); ${command(out)}`, tags);
      if (tags !== "") besides(night, `c=$(git rev-parse --git-common-dir); ${command(out)}`);
      const { events } = await expectWhole(night, ...args);
      expect(night.cli("take", "demo")).toMatchObject({ code: 0 });
      expect(readdirSync(out)).toEqual(["victim"]);
      expect(readFileSync(join(out, "victim"), "utf8")).toBe("precious\n");
      const refused = events.flatMap((event) => (event.kind === "refused" ? [event.reason] : []));
      expect(refused).toContainEqual(expect.stringContaining(`.git/${name}`));
    });

    it("a nested repository: its settings run nothing, and the work is refused", async () => {
      const mark = join(makeFolder(), "mark");
      const command = [
        "mkdir sub && cd sub && git init -q && echo data > f && echo 'f filter=z' > .gitattributes",
        `git add -A && git ${AS} commit -qm s && git config filter.z.clean "echo hit >> '${mark}'; cat"`,
        `cd .. && git add sub && git ${AS} commit -qm sub && touch -d @1 sub/f`,
      ].join(" && ");
      const night = nightWith(command, tags);
      const { events } = await night.run(args);
      expect(JSON.stringify(events)).toContain("added a repository inside the project's: sub");
      expect(existsSync(mark)).toBe(false);
      expect(night.git("ls-tree", "-r", "smart-ralph/demo")).not.toContain("160000");
    });
  },
);

it("reports refs, settings and hooks that changed while an agent worked", async () => {
  const night = nightWith(
    "git update-ref refs/heads/new HEAD && git config a.b c && echo x > $(git rev-parse --git-common-dir)/hooks/post-commit",
  );
  const { events } = await expectWhole(night);
  const notes = events.flatMap((event) => (event.kind === "note" ? [event.text] : []));
  expect(notes.filter((text) => text.includes("1.2"))).toEqual([
    expect.stringContaining(": .git/config, .git/hooks/post-commit, refs/heads/new."),
  ]);
  expect(notes.filter((text) => /1\.[13] was worked on/.test(text))).toEqual([]);
});

it("reports links, excludes, grafts and other folders with objects, but not what we exclude ourselves", async () => {
  const night = nightWith(
    [
      "c=$(git rev-parse --git-common-dir)",
      "echo /hidden.txt >> $c/info/exclude",
      "echo > $c/info/grafts",
      "echo /nowhere/objects > $c/objects/info/alternates",
      "ln -s ../../hook $c/hooks/pre-push",
    ].join("; "),
  );
  const { events } = await night.run();
  const notes = events.flatMap((event) => (event.kind === "note" ? [event.text] : []));
  expect(notes.filter((text) => text.includes("1.2 was worked on"))).toEqual([
    expect.stringContaining(
      ": .git/hooks/pre-push, .git/info/exclude, .git/info/grafts, .git/objects/info/alternates.",
    ),
  ]);
  expect(notes.filter((text) => /1\.[13] was worked on/.test(text))).toEqual([]);
});

it("with --here, new links in git's folder are removed and named; old ones are the user's", async () => {
  const night = nightWith("ln -sf /nowhere/victim .git/logs/HEAD");
  const shared = makeFolder();
  symlinkSync(shared, join(night.root, ".git/svn"));
  const { code, events } = await night.run(["--here"]);
  expect(code).toBe(0);
  expect(events).toContainEqual(
    expect.objectContaining({
      kind: "refused",
      task: "1.2",
      reason: expect.stringContaining(".git/logs/HEAD to /nowhere/victim"),
    }),
  );
  expect(readlinkSync(join(night.root, ".git/svn"))).toBe(shared);
});

it("take and the next run refuse what has become a link after the run, and say what to remove", async () => {
  const night = nightWith("true");
  symlinkSync(makeFolder(), join(night.root, ".git/svn"));
  await expectWhole(night);
  const victim = join(makeFolder(), "victim");
  writeFileSync(victim, "precious\n");
  const log = join(night.root, ".git/logs/HEAD");
  const trees = join(night.home, ".local/state/smart-ralph/trees");
  unlinkSync(log);
  symlinkSync(victim, log);
  const taken = night.cli("take", "demo");
  expect(taken.code).not.toBe(0);
  expect(taken.err).toContain(`.git/logs/HEAD to ${victim}`);
  expect(night.cli("run", "demo", "--agent", "demo").err).toContain(`remove it (${log})`);
  expect(readFileSync(victim, "utf8")).toBe("precious\n");
  // A version that noted no links: the folders of a shared repository are links, the files in them are not.
  const all = readdirSync(trees, { recursive: true, encoding: "utf8" });
  const record = all.find((name) => name.endsWith("/demo.json")) ?? "";
  const { links, ...older } = JSON.parse(readFileSync(join(trees, record), "utf8"));
  expect(Object.keys(links)).toEqual(["svn"]);
  writeFileSync(join(trees, record), JSON.stringify(older));
  expect(night.cli("take", "demo").code).not.toBe(0);
  unlinkSync(log);
  expect(night.cli("take", "demo")).toMatchObject({ code: 0 });
});
