import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { specum } from "../support/editions.ts";
import { isFull } from "../support/full.ts";
import { faultsIn, type Ran, REPOSITORY, startChild } from "./child.ts";
import { type Place, SESSION, startPlace, userFileOf } from "./support.ts";

/** Many more than there are processors. */
const CROWD = isFull ? 100 : 25;

const dist = join(REPOSITORY, "plugins/ralph-specum/dist");
const BOUNDLESS = { [userFileOf(specum)]: "---\nstall_limit: 10000\n---\n" };

const stopAsync = ({ root, env }: Place): Promise<Ran> =>
  startChild(process.execPath, [join(dist, "hook.cjs"), "specum", "stop"], {
    cwd: root,
    env,
    input: JSON.stringify({ session_id: SESSION, cwd: root, last_assistant_message: "Done." }),
  });

const runAsync = ({ root, env }: Place, ...args: string[]): Promise<Ran> =>
  startChild(process.execPath, [join(dist, "cli.cjs"), "--layout=specum", ...args], {
    cwd: root,
    env,
  });

function expectWhole(place: Place): void {
  const text = readFileSync(join(place.folder, ".ralph-journal.jsonl"), "utf8");
  expect(text.endsWith("\n")).toBe(true);
  expect(place.entries().every(({ loop }) => loop.run !== "")).toBe(true);
  const left = readdirSync(place.folder).filter(
    (name) => name !== ".progress.md" && name !== "receipt.json",
  );
  expect(left.sort()).toEqual([
    ".ralph-journal.jsonl",
    ...(place.state() === undefined ? [] : [".ralph-state.json"]),
    "tasks.md",
  ]);
}

it("many hooks at once lose no iteration", async () => {
  const place = startPlace(specum, BOUNDLESS);
  place.slash(["implement", "--max-global-iterations", "1000"]);
  const ran = await Promise.all(Array.from({ length: CROWD }, () => stopAsync(place)));
  // On a busy machine the last ones may give up waiting for the lock: they say so, and have counted nothing.
  const served = ran.filter(({ err }) => !err.includes("holds it"));
  expect(served.length).toBeGreaterThan(1);
  expect(served.filter(({ code, err }) => code !== 0 || faultsIn(err) !== "")).toEqual([]);
  const iterations = served.map(({ out }) => {
    const { reason } = JSON.parse(out) as { reason: string };
    return Number(/Iter (\d+)\)/.exec(reason)?.[1]);
  });
  const expected = served.map((_, i) => i + 2);
  expect(iterations.sort((a, b) => a - b)).toEqual(expected);
  expect(place.state()).toMatchObject({ globalIteration: served.length + 1 });
  expect(
    place
      .entries()
      .slice(2)
      .map(({ loop }) => loop.iteration),
  ).toEqual(expected);
  expectWhole(place);
});

it("many hooks and commands at once lose no box, no attempt and no count", async () => {
  // Parallel groups of five.
  const ids = Array.from({ length: CROWD / 5 }, (_, i) => `1.${i + 1}`);
  const tasks = ids.map((id) => `- [ ] ${id} [P] Task\n  - **Files**: ${id}.txt\n`).join("");
  const place = startPlace(specum, {
    ...BOUNDLESS,
    "specs/demo/tasks.md": `${tasks}- [ ] 2.1 Last\n`,
  });
  const ran = await Promise.all([
    ...ids.map((id) => runAsync(place, "done", id, "--report", "TASK_COMPLETE")),
    ...ids.map((_, i) => runAsync(place, "fail", "2.1", "--reason", `for the ${i}th reason`)),
    ...ids.map(() => runAsync(place, "status")),
    ...[...ids, ...ids].map(() => stopAsync(place)),
  ]);
  expect(ran).toHaveLength(CROWD);
  // Here, too, the last ones may give up, and have done nothing.
  const failed = ran.filter(({ code, err }) => code !== 0 && !err.includes("holds it"));
  expect(failed).toEqual([]);
  // Each accepted report is a ticked box and one line of the journal, and there are no others.
  const accepted = ran.flatMap(({ out }) => /^(1\.\d+) is done/.exec(out)?.[1] ?? []);
  const ticked = [...place.tasks().matchAll(/- \[x\] (\S+)/g)].map((match) => match[1]);
  expect(ticked).toEqual(accepted);
  const done = place.entries().filter(({ event }) => event === "done");
  expect(done.map(({ task }) => task).sort()).toEqual([...accepted].sort());
  const counted = ran.filter(({ out }) => out.startsWith("Attempt ") || out.startsWith("All "));
  expect(place.entries().at(-1)?.loop.attempts).toEqual({ "2.1": counted.length + 1 });
  const continued = ran.filter(({ out }) => out.includes('"decision":"block"')).length;
  expect(place.entries().filter(({ event }) => event === "continue")).toHaveLength(continued);
  expectWhole(place);
});

it("of many that finish a run only one says so", async () => {
  const place = startPlace(specum, { "specs/demo/tasks.md": "- [ ] 1.1 Only\n" });
  place.run(["done", "1.1", "--report", "TASK_COMPLETE"]);
  const ran = await Promise.all(Array.from({ length: 12 }, () => stopAsync(place)));
  expect(ran.filter(({ code }) => code !== 0)).toEqual([]);
  expect(ran.filter(({ out }) => out !== "")).toHaveLength(1);
  expect(place.entries().filter(({ event }) => event === "finished")).toHaveLength(1);
  expectWhole(place);
});
