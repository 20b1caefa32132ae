import { existsSync, mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { DemoStep } from "../../../src/agents/demo/script.ts";
import { makeEpicNight, rowsOf } from "./epic-night.ts";
import { makeNight, type Night, photograph, PROGRAM } from "./night.ts";
import { fileOf, honest, listOf, scene } from "./scenes.ts";

const pty = await import("@lydell/node-pty").catch(() => undefined);

const STUCK: DemoStep[] = [{ sleep: 600_000 }];
const HIDDEN = [
  ["code.txt", "assume-unchanged"],
  [fileOf("1.1"), "skip-worktree"],
] as const;
const ROWS = [{ id: "1.1" }, { id: "1.2" }];

/** A run that has done 1.1 and is killed while 1.2 has written half a file. */
async function killed(): Promise<Night> {
  const half = [{ write: fileOf("1.2"), text: "half" }, ...STUCK];
  const night = makeNight({ rows: ROWS, scenes: [scene("1.2", half)] });
  const child = night.start();
  const ended = night.wait(child);
  await night.until((one) => one.kind === "attempt-started" && one.task === "1.2");
  await night.untilFile(join(night.tree(), fileOf("1.2")));
  expect(night.cli("discard", "demo", "--yes")).toMatchObject({
    code: 1,
    err: expect.stringContaining("is working on"),
  });
  child.kill("SIGKILL");
  await ended;
  return night;
}

const branches = (night: Night): string => night.git("branch", "--list", "smart-ralph/*");

/** A file in the one commit below what was kept that added it; the subject names the branch. */
function fileIn(night: Night, [ref = ""]: readonly string[], file: string, branch: string): string {
  const found = night.git(
    "log",
    "--full-history",
    "--no-merges",
    "--format=%H %s",
    `main..${ref}`,
    "--",
    file,
  );
  expect(found).toMatch(
    new RegExp(`^\\w+ smart-ralph: discarded, \\S*${branch.replace("+", "\\+")}\\S*$`),
  );
  return night.git("show", `${found.split(" ")[0]}:${file}`);
}

const json = (night: Night, ...args: string[]): Record<string, unknown> =>
  JSON.parse(night.cli(...args, "--json").out) as Record<string, unknown>;

/** As if no run had ever been: no branch, no tree, and a client may begin. */
function expectNothing(night: Night): void {
  expect(branches(night)).toBe("");
  expect(night.git("worktree", "list").split("\n")).toHaveLength(1);
  const trees = join(night.home, ".local/state/smart-ralph/trees");
  expect(existsSync(trees) ? readdirSync(trees) : []).toEqual([]);
}

describe("discard", () => {
  it("shows what would go, and keeps every commit, file and line of the journal", async () => {
    const night = await killed();
    const before = photograph(night);
    const journal = night.entries();
    const shown = night.cli("discard");
    expect(shown.code).toBe(1);
    expect(shown.out).toMatch(/not in main:\n(?: {2}.*\n)*? {2}[0-9a-f]+ feat: task 1\.1\n/);
    expect(shown.out).toContain(`1 uncommitted file:\n  ${fileOf("1.2")}\n`);
    expect(shown.out).toContain("add --yes");
    expect(branches(night)).not.toBe("");
    expect(night.cli("implement", "demo").err).toContain("smart-ralph discard demo drops it");

    const tree = night.tree();
    for (const [name, flag] of HIDDEN) {
      night.git("-C", tree, "update-index", `--${flag}`, name);
      writeFileSync(join(tree, name), "hidden");
    }
    const { ok, kept, files } = json(night, "discard", "demo", "--yes") as {
      ok: true;
      kept: string[];
      files: string[];
    };
    const [ref = ""] = kept;
    expect(files.sort()).toEqual([fileOf("1.2"), ...HIDDEN.map(([name]) => name)].sort());
    for (const [name] of HIDDEN) expect(night.git("show", `${ref}:${name}`)).toBe("hidden");
    expect({ ok, kept: kept.length }).toEqual({ ok: true, kept: 1 });
    expect(ref).toMatch(/^refs\/smart-ralph\/discarded\/demo\/\w+$/);
    expectNothing(night);
    expect(photograph(night)).toEqual(before);
    expect(night.git("log", "--format=%s", `main..${ref}`)).toContain("feat: task 1.1");
    expect(night.git("show", `${ref}:${fileOf("1.2")}`)).toBe("half");
    const lines = night.git("show", `${ref}:specs/demo/.ralph-journal.jsonl`).split("\n");
    expect(lines.map((line) => JSON.parse(line) as unknown)).toEqual(journal);

    expect(night.cli("discard", "demo").code).toBe(3);
    expect(night.cli("status").out).not.toContain("run's tree");
    expect(night.cli("summary").out, "of what is left").toContain("0 of 2 tasks done");
    night.scenes([]);
    const again = await night.run();
    expect(again.code).toBe(0);
    expect(again.events.filter(({ kind }) => kind === "done")).toHaveLength(2);
    const notes = again.events.flatMap((one) => (one.kind === "note" ? one.text : []));
    expect(notes.join()).not.toContain("continues a run that was killed");
    expect(night.git("rev-parse", "--verify", ref)).not.toBe("");
  });

  it("keeps what the trees of a group have, and what an agent has done on another branch", async () => {
    const rows = ["1.1", "1.2"].map((id) => ({ id, tags: "[P]" }));
    const strays = [
      { run: "git commit -q --allow-empty -m strayed" },
      { write: "left.txt", text: "left" },
      ...STUCK,
    ];
    const night = makeNight({ rows, scenes: [scene("1.1", strays), scene("1.2", STUCK)] });
    const child = night.start(["--parallel", "2"]);
    const ended = night.wait(child);
    await night.until((one) => one.kind === "attempt-started" && one.task === "1.1");
    await night.untilFile(join(`${night.tree()}+1.1`, "left.txt"));
    child.kill("SIGKILL");
    await ended;
    const tree = night.tree();
    night.git("-C", tree, "switch", "-q", "--detach");
    night.git("-C", tree, "commit", "-q", "--allow-empty", "-m", "detached");
    const { kept } = json(night, "discard", "--yes") as { kept: string[] };
    expectNothing(night);
    expect(kept).toHaveLength(1);
    const subjects = night.git("log", "--format=%s", ...kept, "--not", "main");
    expect(subjects).toContain("strayed");
    expect(subjects).toContain("detached");
    expect(fileIn(night, kept, "left.txt", "demo+1.1")).toBe("left");
  });

  it.runIf(pty !== undefined)("asks at a terminal, where only yes is a yes", async () => {
    const night = await killed();
    const answer = (text: string): Promise<{ code: number; out: string }> =>
      new Promise((resolve) => {
        const options = { cwd: night.root, env: night.env, cols: 200, rows: 40 };
        const shell = pty?.spawn(process.execPath, [PROGRAM, "discard"], options);
        let out = "";
        shell?.onData((more) => {
          if (!out.includes("[y/N]") && (out + more).includes("[y/N]")) shell.write(`${text}\r`);
          out += more;
        });
        shell?.onExit(({ exitCode: code }) => resolve({ code, out }));
      });
    const no = await answer("");
    expect(no).toMatchObject({ code: 1, out: expect.stringContaining("Nothing is removed.") });
    expect(no.out).toContain("feat: task 1.1");
    expect(branches(night)).not.toBe("");
    expect(await answer("y")).toMatchObject({ code: 0, out: expect.stringContaining("kept at") });
    expectNothing(night);
  });

  it.each([
    { name: "a repository that an agent has made", dig: "nested", said: "git cannot keep" },
    { name: "commits of a submodule", dig: "submodule", said: "submodule nested in" },
    { name: "a tree that is no longer git's", dig: "", said: "git cannot keep" },
  ])("does not remove $name, which git cannot keep", async ({ dig, said }) => {
    const night = await killed();
    const tree = night.tree();
    if (dig === "") writeFileSync(join(tree, ".git"), "gitdir: /nowhere\n");
    else {
      const nested = join(tree, "nested");
      mkdirSync(nested);
      night.git("init", "-q", nested);
      night.git("-C", nested, "commit", "-q", "--allow-empty", "-m", "work");
    }
    if (dig === "submodule") night.git("-C", tree, "add", "nested");
    const { code, err } = night.cli("discard", "--yes");
    expect({ code, err }).toMatchObject({ code: 1, err: expect.stringContaining(said) });
    expect(existsSync(tree)).toBe(true);
    expect(branches(night)).not.toBe("");
  });

  it("of an epic removes the trees of its specs too, and a spec can be run by itself", async () => {
    const specs = { cart: { rows: rowsOf("1.1", "1.2") }, tax: { rows: rowsOf("2.1") } };
    const night = makeEpicNight(specs, [
      scene("1.2", [{ write: "half.txt", text: "half" }, ...STUCK]),
      scene("2.1", STUCK),
    ]);
    const child = night.start(["--parallel", "2"], "big");
    const ended = night.wait(child);
    await night.until((one) => one.kind === "attempt-started" && one.task === "1.2");
    const cart = /^worktree (.*cart)$/m.exec(night.git("worktree", "list", "--porcelain"))?.[1];
    await night.untilFile(join(cart ?? "", "half.txt"));
    child.kill("SIGKILL");
    await ended;
    expect(branches(night).split("\n").length).toBeGreaterThan(1);
    const { kept, commits } = json(night, "discard", "big", "--yes") as {
      kept: string[];
      commits: { subject: string }[];
    };
    expectNothing(night);
    expect(commits.map(({ subject }) => subject)).toContain("feat: task 1.1");
    expect(kept).toHaveLength(1);
    expect(fileIn(night, kept, "half.txt", "cart")).toBe("half");
    expect(night.git("log", "--format=%s", ...kept)).toContain("feat: task 1.1");
    night.scenes([scene("1.1", honest("1.1")), scene("1.2", honest("1.2"))]);
    expect((await night.wait(night.start([], "cart"))).code).toBe(0);
  });

  it("works although the user has removed the folder, or the branch", async () => {
    const folder = await killed();
    folder.git("worktree", "remove", "--force", "--force", folder.tree());
    const { kept } = json(folder, "discard", "--yes") as { kept: string[] };
    expect(folder.git("log", "--format=%s", ...kept)).toContain("feat: task 1.1");
    expect(folder.git("ls-tree", "--name-only", `${kept[0]}:specs/demo`)).toContain("journal");
    expectNothing(folder);
    const branch = await killed();
    branch.git("update-ref", "-d", "refs/heads/smart-ralph/demo");
    const { kept: found } = json(branch, "discard", "--yes") as { kept: string[] };
    expect(branch.git("log", "--format=%s", ...found)).toContain("feat: task 1.1");
    expect(branch.git("show", `${found[0]}:${fileOf("1.2")}`)).toBe("half");
    expectNothing(branch);
  });
});

const MANY = Object.fromEntries(
  Array.from({ length: 2001 }, (_, i) => [`specs/demo/many/${i}.md`, ""]),
);

describe("a start that is refused leaves nothing, and a client may begin", () => {
  it.each<{ name: string; files: Record<string, string>; args?: string[] }>([
    { name: "an empty list", files: { "specs/demo/tasks.md": "" } },
    { name: "strict", files: { "specs/demo/tasks.md": "- [ ] 1.1 x\n" }, args: ["--strict"] },
    { name: "a folder with too many files", files: MANY },
  ])("$name", async ({ files, args = [] }) => {
    const night = makeNight({ rows: ROWS, files });
    const before = photograph(night);
    const { code, err } = await night.run(args);
    expect({ code, err }).not.toMatchObject({ code: 0 });
    expectNothing(night);
    expect(photograph(night)).toEqual(before);
    night.write({ "specs/demo/tasks.md": listOf(ROWS) });
    expect(night.cli("implement", "demo")).toMatchObject({ code: 0 });
  });
});
