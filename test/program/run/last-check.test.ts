import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { makeNight, type Night } from "./night.ts";
import { COMPLETE, fileOf, honest, scene } from "./scenes.ts";

const reasonsOf = (night: Night): string[] =>
  night.events().flatMap((event) => (event.kind === "refused" ? [event.reason] : []));

const startsOf = (night: Night, id: string): number =>
  night.events().filter((one) => one.kind === "attempt-started" && one.task === id).length;

/** Ticks boxes before the run, as the user may. */
function tick(night: Night, ...ids: readonly string[]): void {
  const path = join(night.spec, "tasks.md");
  const ticked = ids.reduce(
    (text, id) => text.replace(`- [ ] ${id} `, `- [x] ${id} `),
    readFileSync(path, "utf8"),
  );
  writeFileSync(path, ticked);
}

const verifiedIn = (night: Night): string[] =>
  night.events().flatMap((event) => (event.kind === "verifying" ? [event.task] : []));

const isClean = (night: Night): void =>
  expect(night.git("worktree", "list")).not.toContain("smart-ralph-prove");

/** Git ignores the file that its Verify looks for; there is something to commit all the same. */
const IGNORED = scene("1.1", [{ append: "code.txt", text: "more\n" }, ...honest("1.1")]);

describe("the last check, in a clean checkout of the run's branch", () => {
  it("does not count what git ignores", async () => {
    const night = makeNight({
      files: { ".gitignore": "t1-1.txt\n" },
      rows: [{ id: "1.1" }, { id: "1.2" }],
      scenes: [
        // The next agent is told why.
        {
          when: "It does not hold in a clean checkout of the branch",
          attempts: [
            [
              { run: `git add --force ${fileOf("1.1")} && git commit -qm "feat: task 1.1"` },
              COMPLETE,
            ],
          ],
        },
        IGNORED,
      ],
    });
    const { code, err } = await night.run();
    expect({ code, err }).toMatchObject({ code: 0 });
    expect(reasonsOf(night)).toEqual([
      expect.stringContaining("It does not hold in a clean checkout of the branch"),
    ]);
    isClean(night);
    expect(night.cli("take").out).toContain("It is byte for byte what the last check ran on.");
    expect(readFileSync(join(night.root, fileOf("1.1")), "utf8")).toBe("done\n");
  });

  it("fails if work is never committed: the run is stuck after two more rounds", async () => {
    const night = makeNight({
      files: { ".gitignore": "t1-1.txt\n" },
      rows: [{ id: "1.1" }],
      scenes: [IGNORED],
    });
    const { code, events } = await night.run();
    expect(code).toBe(1);
    expect(events.at(-1)).toMatchObject({ status: "stuck", done: 0, total: 1 });
    expect(events.at(-1)).toHaveProperty("text", expect.stringContaining("1.1"));
    expect(startsOf(night, "1.1")).toBe(3);
    isClean(night);
  });

  it("finds what a later task has removed, and has it done again", async () => {
    const night = makeNight({
      rows: [{ id: "1.1" }, { id: "1.2" }],
      scenes: [
        scene("1.2", [
          { run: `git rm -q ${fileOf("1.1")} && git commit -qm "feat: less"` },
          ...honest("1.2"),
        ]),
      ],
    });
    const { code, err } = await night.run();
    expect({ code, err }).toMatchObject({ code: 0 });
    expect(startsOf(night, "1.1")).toBe(2);
    expect(startsOf(night, "1.2")).toBe(1);
    expect(night.git("show", `smart-ralph/demo:${fileOf("1.1")}`)).toBe("done");
    // The check itself was nobody's attempt: two in the receipt, and on the page.
    const receipt = night.git("show", "smart-ralph/demo:specs/demo/receipt.json");
    expect(JSON.parse(receipt)).toMatchObject({ tasks: [{ attempts: 2 }, {}] });
    const { out } = night.cli("summary");
    expect(out).toMatch(/^✓ {2}1\.1 Write 1\.1 +\w+ +2 /m);
    expect(out).toContain("1.1 needed 2 attempts: it does not hold in a clean checkout");
    expect(out).toBe(night.cli("watch").out);
  });

  it("is made by the next run if the runner is killed during it", async () => {
    const night = makeNight({
      files: { ".gitignore": "t1-1.txt\n" },
      rows: [{ id: "1.1" }],
      scenes: [IGNORED],
    });
    const mark = night.counter("checked");
    const slow = `case $PWD in *ralph-prove*) test -e ${mark} || { touch ${mark}; sleep 300; };; esac`;
    const path = join(night.spec, "tasks.md");
    writeFileSync(path, readFileSync(path, "utf8").replace("`grep", `\`${slow}; grep`));
    const child = night.start();
    await night.untilProcess("sleep 300");
    child.kill("SIGKILL");
    await night.wait(child);
    expect(night.tasks()).toContain("- [x] 1.1");
    expect((await night.run()).code).toBe(1);
    expect(night.tasks()).toContain("- [ ] 1.1");
    isClean(night);
  });

  it("uses what the user has installed: an agent's edit there proves nothing and does not reach them", async () => {
    const night = makeNight({
      files: { ".gitignore": "node_modules\n", "node_modules/lib/index.js": "old\n" },
      rows: [{ id: "1.1", verify: "grep -q done node_modules/lib/index.js" }],
      scenes: [
        scene("1.1", [
          { append: "node_modules/lib/index.js", text: "done\n" },
          { append: "code.txt", text: "more\n" },
          COMPLETE,
        ]),
      ],
    });
    const { code } = await night.run();
    expect(code).toBe(1);
    expect(readFileSync(join(night.root, "node_modules/lib/index.js"), "utf8")).toBe("old\n");
    expect(night.events()).toContainEqual(
      expect.objectContaining({ kind: "note", text: "node_modules is shared from your tree" }),
    );
  });
});

describe.each([
  ["in a clean checkout", []],
  ["with --here, in the user's tree", ["--here"]],
])("a box that was ticked before the run: the last check, %s", (_, args) => {
  it("names those that fail, and reopens none, even if nothing else is to do", async () => {
    const night = makeNight({ rows: [{ id: "1.1" }, { id: "1.2" }] });
    tick(night, "1.1", "1.2");
    const { code, events } = await night.run(args);
    expect(code).toBe(1);
    expect(events.at(-1)).toMatchObject({
      status: "stuck",
      text: expect.stringContaining("ticked before the run, but not proven: 1.1, 1.2"),
    });
    expect(reasonsOf(night)).toEqual([
      expect.stringContaining("its Verify `grep -q done t1-1.txt` failed"),
      expect.stringContaining("its Verify `grep -q done t1-2.txt` failed"),
    ]);
    expect(night.tasks()).not.toContain("- [ ]");
    expect(startsOf(night, "1.1")).toBe(0);
    const { out } = night.cli("watch");
    expect(out).toContain("0 of 2 tasks done; 2 failed");
    expect(out).toContain(
      "1.1 does not hold: ticked before the run, but its Verify `grep -q done t1-1.txt` failed",
    );
    // The next run says so as well.
    expect((await night.run(args)).code).toBe(1);
    // Until its user does something about it.
    for (const id of ["1.1", "1.2"]) expect(night.cli("accept", id).code).toBe(0);
    expect((await night.run(args)).code).toBe(0);
  });

  it("is content if they pass, and the report says what they are", async () => {
    const night = makeNight({
      files: { [fileOf("1.1")]: "done\n", [fileOf("1.2")]: "done\n" },
      rows: [{ id: "1.1" }, { id: "1.2" }],
    });
    tick(night, "1.1", "1.2");
    const { code, err } = await night.run(args);
    expect({ code, err }).toMatchObject({ code: 0 });
    expect(verifiedIn(night)).toEqual(["1.1", "1.2"]);
    const { out } = night.cli("watch");
    expect(out).toContain("2 of 2 tasks done: 2 accepted");
    expect(out).toMatch(/^✓ {2}1\.1 .* accepted /m);
    const note = "ticked before the run, and its Verify passes";
    expect(JSON.parse(night.cli("watch", "--json").out)).toMatchObject({
      tasks: [{ note }, { note }],
    });
    const head = night.git("rev-parse", "--all");
    expect((await night.run(args)).code).toBe(0);
    expect(night.git("rev-parse", "--all")).toBe(head);
    if (args.length === 0)
      expect(night.cli("take").out).toContain("It is byte for byte what the last check ran on.");
  });

  it("has the rest done first, and fails for one of two", async () => {
    const night = makeNight({
      files: { [fileOf("1.1")]: "done\n" },
      rows: [{ id: "1.1" }, { id: "1.2" }, { id: "1.3" }],
    });
    tick(night, "1.1", "1.2");
    const { code, events } = await night.run(args);
    expect(code).toBe(1);
    expect(events.at(-1)).toMatchObject({ status: "stuck", done: 2, total: 3 });
    expect(events.at(-1)).toHaveProperty(
      "text",
      expect.stringContaining("not proven: 1.2 (accept"),
    );
    expect(startsOf(night, "1.3")).toBe(1);
    expect(night.cli("watch").out).toContain("2 of 3 tasks done");
    expect(night.cli("watch").out).toContain("2 of 3 tasks done: 1 proven, 1 accepted; 1 failed");
  });

  it("does not run what is [RED], accepted or skipped", async () => {
    const rows = ["1.1", "1.2", "1.3", "1.4"].map((id) => ({
      id,
      ...(id === "1.1" ? { tags: "[RED]" } : {}),
    }));
    const night = makeNight({ rows, files: { [fileOf("1.4")]: "done\n" } });
    expect(night.cli("skip", "1.3")).toMatchObject({ code: 0 });
    tick(night, "1.1", "1.2", "1.3", "1.4");
    expect((await night.run(args)).code).toBe(1);
    expect(verifiedIn(night)).toEqual(["1.2", "1.4"]);
    expect(night.cli("accept", "1.2").code).toBe(0);
    expect((await night.run(args)).code).toBe(0);
    expect(verifiedIn(night)).toEqual(["1.4"]);
  });
});

describe("a Verify that edits the run's list from the clean checkout", () => {
  it("proves nothing, and the list is put back", async () => {
    const sly = `for tree in $(git worktree list --porcelain | sed -n 's/^worktree //p'); do
  case $tree in */project | *ralph-prove*) ;; *) sed -i 's/1.2 Write/1.2 [RED] Write/' $tree/specs/demo/tasks.md ;; esac
done`;
    const verify = "case $PWD in *ralph-prove*) sh sly.sh;; esac; grep -q done t1-1.txt";
    const night = makeNight({
      files: { "sly.sh": sly },
      rows: [{ id: "1.1", verify }, { id: "1.2" }],
    });
    expect((await night.run()).code).toBe(1);
    expect(reasonsOf(night)[0]).toContain("changed by no command of ours (the tags of 1.2)");
    expect(night.tasks()).not.toContain("[RED] Write");
    expect(night.tasks()).toContain("- [x] 1.2 Write");
  });
});

describe("a ticked task that was changed during the run", () => {
  it("is checked, whatever tag it has now", async () => {
    const night = makeNight({
      rows: [{ id: "1.1" }, { id: "1.2" }],
      scenes: [
        scene("1.2", [
          { run: "sed -i 's/1.1 Write/1.1 [RED] Write/' specs/demo/tasks.md" },
          ...honest("1.2"),
        ]),
      ],
    });
    tick(night, "1.1");
    expect((await night.run(["--here"])).code).toBe(1);
    expect(night.tasks()).toContain("1.1 [RED] Write");
  });

  it("does not hold with another Verify: nobody has agreed to that", async () => {
    const night = makeNight({
      files: { [fileOf("1.1")]: "done\n" },
      rows: [{ id: "1.1" }, { id: "1.2" }],
      scenes: [
        scene("1.2", [
          { run: "sed -i 's/grep -q done t1-1.txt/true/' specs/demo/tasks.md" },
          ...honest("1.2"),
        ]),
      ],
    });
    tick(night, "1.1");
    expect((await night.run(["--here"])).code).toBe(1);
    expect(reasonsOf(night)).toEqual([
      expect.stringContaining("1.1: its Verify is not the one that was agreed to"),
    ]);
  });
});

describe("commits after a check", () => {
  it("are reported by take", async () => {
    const night = makeNight({ rows: [{ id: "1.1" }] });
    expect((await night.run()).code).toBe(0);
    night.git("-C", night.tree(), "commit", "-q", "--allow-empty", "-m", "later");
    expect(night.cli("take").out).toContain(
      "1 commit came after the last check; smart-ralph prove demo checks it.",
    );
  });

  it("may not be made by a Verify: one that commits is refused", async () => {
    const night = makeNight({
      settings: "default_max_iterations: 2",
      rows: [{ id: "1.1", verify: "grep -q done t1-1.txt && git commit -q --allow-empty -m sly" }],
    });
    expect((await night.run()).code).toBe(1);
    expect(reasonsOf(night).join()).toContain("Nothing may commit while a Verify runs");
  });
});
