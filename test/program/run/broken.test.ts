import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { makeFolder } from "../temporary.ts";
import type { Night } from "./night.ts";
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
      await expectWhole(nightWith(command, tags), ...args);
      expect(readFileSync(victim, "utf8")).toBe("precious\n");
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
