import { appendFileSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { DemoStep } from "../../../src/agents/demo/script.ts";
import { type Ended, makeNight, type Night } from "./night.ts";
import { COMPLETE, honest, scene, until } from "./scenes.ts";

/** What the last commit of a task has. */
const filesOf = (night: Night, id: string): string[] =>
  night
    .git("log", "-1", "--name-only", "--format=", `--grep=task ${id}`)
    .split("\n")
    .filter(Boolean)
    .sort();

const notesIn = ({ events }: Ended): string[] =>
  events.flatMap((event) => (event.kind === "note" ? [event.text] : []));

/** Two tasks with `--here`. The user does something while the first one's agent is at work. */
async function here(
  steps: readonly DemoStep[],
  user: (night: Night) => void,
): Promise<{ readonly night: Night; readonly ended: Ended }> {
  const night = makeNight({
    settings: "default_max_iterations: 2",
    rows: [{ id: "1.1" }, { id: "1.2" }],
    files: { "mine.txt": "old\n", "lock.json": "old\n" },
  });
  const [begun, over] = [night.counter("begun"), night.counter("over")];
  night.scenes([
    scene("1.1", [{ run: `touch ${begun}` }, until(`test -f ${over}`), ...steps, COMPLETE]),
  ]);
  const running = night.run(["--here"]);
  await night.until(({ kind }) => kind === "attempt-started");
  user(night);
  appendFileSync(over, "");
  return { night, ended: await running };
}

const write: DemoStep = { write: "t1-1.txt", text: "done\n" };

describe("in the user's own tree", () => {
  it("what the user edits meanwhile is not committed, does not stand in the way, and is named once", async () => {
    const { night, ended } = await here([write], ({ write: save }) =>
      save({ "mine.txt": "mine\n", "notes.txt": "mine\n" }),
    );
    expect(ended.code).toBe(0);
    expect(filesOf(night, "1.1")).toEqual(["t1-1.txt"]);
    expect(filesOf(night, "1.2")).toEqual(["t1-2.txt"]);
    expect(night.git("status", "--porcelain", "*.txt")).toBe(" M mine.txt\n?? notes.txt");
    const said = "left alone: mine.txt, notes.txt (uncommitted, not the task's)";
    expect(notesIn(ended).filter((note) => note.includes("left alone"))).toEqual([`1.1: ${said}`]);
    const done = night.entries().filter(({ event }) => event === "done");
    expect(done.map(({ note = "" }) => note.includes(said))).toEqual([true, false]);
    expect(done[0]?.evidence).toMatchObject([{ tree: "dirty", dirty: ["mine.txt", "notes.txt"] }]);
    expect(ended.events.filter(({ kind }) => kind === "refused")).toEqual([]);
  });

  it("what an agent edits with its own tools is committed, listed or not, and what its shell writes only if listed", async () => {
    const { night, ended } = await here(
      [
        { run: "echo done > t1-1.txt; echo new > lock.json; echo new > shell.txt" },
        { write: "more/new.txt", text: "new\n" },
        { append: "mine.txt", text: "new\n" },
      ],
      () => undefined,
    );
    expect(ended.code).toBe(0);
    expect(filesOf(night, "1.1")).toEqual(["mine.txt", "more/new.txt", "t1-1.txt"]);
    expect(night.git("status", "--porcelain", "*.txt", "*.json")).toBe(
      " M lock.json\n?? shell.txt",
    );
  });

  it("what the user had not committed before is never committed", async () => {
    const night = makeNight({ rows: [{ id: "1.1" }], files: { "mine.txt": "old\n" } });
    night.write({ "mine.txt": "mine\n" });
    night.scenes([scene("1.1", [{ append: "mine.txt", text: "agent\n" }, ...honest("1.1")])]);
    expect(await night.run(["--here"])).toMatchObject({ code: 0 });
    expect(filesOf(night, "1.1")).toEqual(["t1-1.txt"]);
    expect(night.read("mine.txt")).toBe("mine\nagent\n");
  });

  it.each([
    ["assume-unchanged", "git update-index --assume-unchanged code.txt", "code.txt"],
    ["skip-worktree", "git update-index --skip-worktree code.txt", "code.txt"],
    ["an exclude list", "echo t1-1.txt >> .git/info/exclude", "t1-1.txt"],
    ["a .gitignore", "printf 't1-1.txt\\n.gitignore\\n' > .gitignore", "t1-1.txt"],
  ])("work that %s hides from git does not pass", async (_, command, name) => {
    const night = makeNight({
      settings: "default_max_iterations: 1",
      rows: [{ id: "1.1", verify: "grep -q done code.txt t1-1.txt", files: "code.txt, t1-1.txt" }],
    });
    mkdirSync(join(night.root, ".git/info"), { recursive: true });
    night.scenes([scene("1.1", [{ write: name, text: "done\n" }, { run: command }, COMPLETE])]);
    const { code, events } = await night.run(["--here", "--no-wait"]);
    expect(code).not.toBe(0);
    const reasons = events.flatMap((event) => (event.kind === "refused" ? [event.reason] : []));
    expect(reasons[0]).toMatch(/^1\.1 hides \S+ from git: /);
    expect(reasons[0]).toContain(name);
  });
});
