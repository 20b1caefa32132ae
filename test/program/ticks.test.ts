import { cpSync, existsSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it, vi } from "vitest";
import { EXIT } from "../../src/apps/cli/command.ts";
import { specum } from "../support/editions.ts";
import { ordersFor } from "./agents.ts";
import { REPOSITORY, runChild, startChild } from "./child.ts";
import { placeWith, report, tickByHand } from "./claims.ts";
import {
  expectRefusal,
  IN_SESSION,
  makePlace,
  type Place,
  SESSION,
  startPlace,
  type StopAnswer,
} from "./support.ts";
import { makeFolder } from "./temporary.ts";

const layout = specum;

const eventsOf = (place: Place, id: string): string[] =>
  place.entries().flatMap(({ event, task }) => (task === id ? [event] : []));

const FOUR = [1, 2, 3, 4]
  .map((n) => `- [ ] 1.${n} Part ${n}\n  - **Verify**: \`test -f made-${n}\`\n`)
  .join("");

describe("a box that is ticked by hand", () => {
  const begin = (tasks: string): Place =>
    startPlace(layout, { [`${layout.specsDirs[0]}/demo/tasks.md`]: tasks });

  it("is cleared if its Verify fails, and handed out with the reason", () => {
    const place = begin(FOUR);
    writeFileSync(join(place.root, "made-2"), "");
    for (const id of ["1.1", "1.2", "1.3", "1.4"]) tickByHand(place, id);
    const { decision, reason, systemMessage } = place.stop({
      last_assistant_message: "ALL_TASKS_COMPLETE",
    });
    expect(decision).toBe("block");
    const line = "1.1, 1.3, 1.4 did not pass the check, so they are open again";
    expect(reason).toContain(line);
    expect(systemMessage).toContain(line);
    expect(reason).toContain("Unticked in tasks.md: 1.1 Part 1; 1.3 Part 3; 1.4 Part 4.");
    expect(reason).toContain("attempt 2 of 5");
    const why = "1.1 is not done: its Verify `test -f made-1` failed with exit code 1.";
    expect(reason).toContain(`last: ${why}`);
    expect(ordersFor(place, "1.1")).toContain(`> ${why}`);
    expect(place.tasks()).toBe(FOUR.replace("[ ] 1.2", "[x] 1.2"));
    expect(eventsOf(place, "1.1")).toEqual(["before", "failed", "delegated"]);
    expect(eventsOf(place, "1.2")).toEqual(["done"]);
  });

  it("ends the run after its attempts, however often it is ticked again", () => {
    const place = begin(FOUR);
    let turns = 0;
    for (; turns < 20; turns++) {
      for (const id of ["1.1", "1.2", "1.3", "1.4"]) tickByHand(place, id);
      const { decision, systemMessage } = place.stop();
      if (decision !== "block") {
        expect(systemMessage).toContain("1.1 failed in all 5 attempts");
        expect(systemMessage).toContain("4 of 4 tasks are open");
        break;
      }
    }
    expect(turns).toBeLessThan(6);
    expect(place.tasks()).toBe(FOUR);
    expect(place.run(["status", "--check"]).code).toBe(EXIT.refused);
  });

  it("counts if its Verify passes, and the receipt has the evidence", () => {
    const place = placeWith(layout, "`test -f made`");
    writeFileSync(join(place.root, "made"), "");
    tickByHand(place, "1.1");
    expect(place.stop().reason).toContain("Task 1.2 → ");
    expect(place.json(["evidence", "1.1"])["tasks"]).toMatchObject([
      { done: true, evidence: [{ outcome: "passed" }] },
    ]);
  });

  it("is a word, and marked so, where there is nothing to run", () => {
    const place = begin("- [ ] 1.1 a\n- [ ] 1.2 b\n  - **Verify**: look at it\n");
    tickByHand(place, "1.1");
    tickByHand(place, "1.2");
    expect(place.stop().systemMessage).toContain("all 2 tasks done");
    expect(place.json(["evidence"])["tasks"]).toMatchObject([
      { note: "ticked by hand" },
      { note: "ticked by hand; its Verify cannot be run: it is not a command" },
    ]);
    expect(place.run(["status", "--check"]).code).toBe(0);
  });

  it("is the user's word if it was ticked before the run", () => {
    const tasks = FOUR.replace("[ ] 1.1", "[x] 1.1");
    const place = begin(tasks);
    expect(place.stop().reason).toContain("Task 1.2 → ");
    expect(place.tasks()).toBe(tasks);
    // Taken back with `undo` or a refusal, it is a claim when it is ticked again.
    writeFileSync(join(place.folder, "tasks.md"), FOUR);
    expect(report(place)).toMatchObject({ ok: false });
    tickByHand(place, "1.1");
    place.stop();
    expect(place.tasks()).toBe(FOUR);
  });

  it("is not settled by asking for an approval, nor by a resume", () => {
    const place = begin(FOUR);
    for (const id of ["1.1", "1.2", "1.3", "1.4"]) tickByHand(place, id);
    place.run(["await-approval", "--reason", "May I?"], IN_SESSION);
    expect(place.stop().systemMessage).toContain("waiting for your approval");
    expect(place.slash(["resume"]).out).toContain("Task 1.1 → ");
    expect(place.tasks()).toBe(FOUR);
    for (const id of ["1.1", "1.2", "1.3", "1.4"]) tickByHand(place, id);
    expect(place.slash(["implement"]).out).toContain("4 of 4 tasks are open");
    expect(place.tasks()).toBe(FOUR);
  });
});

describe("a Verify that edits the list of tasks", () => {
  const LIST = "specs/demo/tasks.md";
  const TICKS = `sed -i 's/- \\[ \\]/- [x]/' ${LIST}`;

  const listWith = (verify: string): string =>
    `- [ ] 1.1 One\n  - **Verify**: \`${verify}\`\n- [ ] 1.2 Two\n  - **Verify**: \`test -f two\`\n`;

  it("ticks nothing when it is tried before the work, and whoever gets the task is told", () => {
    const tasks = listWith(TICKS);
    const place = startPlace(specum, { [LIST]: tasks });
    expect(place.tasks()).toBe(tasks);
    expect(place.state()).toBeDefined();
    expect(place.entries().find(({ event }) => event === "before")?.evidence).toMatchObject([
      { outcome: "failed", why: expect.stringContaining("(the box of 1.1, the box of 1.2)") },
    ]);
    expect(place.stop().reason).toContain(`${LIST} was changed by no command of ours`);
  });

  it.each([
    ["boxes", TICKS, "the box of 1.1, the box of 1.2"],
    ["a tag", `sed -i 's/1.2 T[w]o/1.2 [RED] Two/' ${LIST}`, "the tags of 1.2"],
    ["a Verify", `sed -i '/test -f t[w]o/d' ${LIST}`, "the Verify of 1.2"],
    ["the list", `rm ${LIST}`, "1.1, 1.2"],
  ])("proves nothing, and the list is put back: %s", (_, edit, what) => {
    const tasks = listWith(`test -f one && ${edit}`);
    const place = startPlace(specum, { [LIST]: tasks });
    writeFileSync(join(place.root, "one"), "");
    const refusal = `${LIST} was changed by no command of ours (${what}), and that was put back`;
    expect(report(place)["refusal"]).toContain(refusal);
    expect(place.tasks()).toBe(tasks);
    // A tick is a claim like any other.
    tickByHand(place, "1.1");
    expect(place.stop().reason).toContain("1.1 did not pass the check");
    expect(place.tasks()).toBe(tasks);
  });

  it("may change what is neither a box nor a tag nor a Verify", () => {
    const tasks = listWith(`test -f one && echo '## Notes' >> ${LIST}`);
    const place = startPlace(specum, { [LIST]: tasks });
    writeFileSync(join(place.root, "one"), "");
    expect(report(place)).toMatchObject({ ok: true });
    expect(place.tasks()).toBe(`${tasks.replace("[ ]", "[x]")}## Notes\n`);
  });

  it("is not blamed for a box that another task's report has ticked meanwhile", async () => {
    const row = (id: string, verify: string): string =>
      `- [ ] ${id} [P] Part\n  - **Files**: ${id}.txt\n  - **Verify**: \`${verify}\`\n`;
    const waits =
      "test -f one && touch begun && until grep -q '[x]. 1.2' specs/demo/tasks.md; do sleep 0.05; done";
    const place = startPlace(specum, { [LIST]: row("1.1", waits) + row("1.2", "test -f begun") });
    writeFileSync(join(place.root, "one"), "");
    const { root, env } = place;
    const cli = join(REPOSITORY, "plugins/ralph-specum/dist/cli.cjs");
    const done = ["--layout=specum", "done", "1.1", "--report", "TASK_COMPLETE"];
    const first = startChild(process.execPath, [cli, ...done], { cwd: root, env });
    await vi.waitFor(() => expect(existsSync(join(root, "begun"))).toBe(true), { timeout: 20_000 });
    expect(report(place, "TASK_COMPLETE", "1.2")).toMatchObject({ ok: true });
    expect(await first).toMatchObject({ code: 0 });
    expect(place.tasks()).not.toContain("- [ ]");
  });
});

describe("a task that is taken out of the list", () => {
  it("does not end the run without its user", () => {
    const place = startPlace(specum, { "specs/demo/tasks.md": FOUR });
    writeFileSync(join(place.root, "made-1"), "");
    expect(report(place)).toMatchObject({ ok: true });
    // A stop in between does not make it forgotten.
    writeFileSync(join(place.folder, "tasks.md"), place.tasks().split("- [ ] 1.3")[0] as string);
    expect(place.stop().reason).toContain("Task 1.2 → ");
    writeFileSync(join(place.folder, "tasks.md"), place.tasks().split("- [ ] 1.2")[0] as string);
    expect(place.slash(["resume"]).out).toContain("1.2 is no longer in tasks.md");
    expect(place.state()).toBeDefined();
    const { decision, systemMessage } = place.stop();
    expect(decision).toBeUndefined();
    expect(systemMessage).toContain("1.2 is no longer in tasks.md; /ralph-specum:approve accepts");
    expect(place.state()).toBeDefined();
    expectRefusal(place.run(["approve"], IN_SESSION), EXIT.refused, /only the user/);
    expect(place.slash(["approve"]).code).toBe(0);
    expect(place.stop().systemMessage).toContain("1 task done");
  });
});

describe("accept", () => {
  it("is the user's word for a task, and nobody else's", () => {
    const place = placeWith(specum, "`false`");
    expectRefusal(place.run(["accept", "1.1"], IN_SESSION), EXIT.refused, /only the user/);
    expect(place.slash(["accept", "1.1"]).out).toBe(
      "1.1 is accepted as done, 1 of 2. Next is 1.2; end your turn to get it.\n",
    );
    expect(place.stop().reason).toContain("Task 1.2 → ");
    expect(place.json(["evidence", "1.1"])["tasks"]).toMatchObject([
      { done: true, note: "accepted by the user", evidence: [] },
    ]);
    expect(place.json(["trace", "--check"])).toMatchObject({
      ok: true,
      tasks: [{ class: "accepted" }, { class: "open" }],
    });
  });

  it("speaks to a person, in a shell", () => {
    const place = makePlace(specum, { "specs/demo/tasks.md": "- [ ] 1.1 One\n- [ ] 1.2 Two\n" });
    place.run(["implement", "demo"]);
    const said = (id: string): string => place.run(["accept", id]).out;
    const resume = "smart-ralph run demo, or /ralph-specum:resume in your client, continues";
    expect(said("1.1")).toBe(`1.1 is accepted as done, 1 of 2. Next is 1.2; ${resume}.\n`);
    expect(said("1.2")).toBe(`1.2 is accepted as done, 2 of 2. All 2 tasks are done; ${resume}.\n`);
  });

  it("stands for a box that the user ticked in an editor", () => {
    const place = placeWith(specum, "`false`");
    tickByHand(place, "1.1");
    expect(place.slash(["accept", "1.1"]).code).toBe(0);
    place.stop();
    expect(place.tasks()).toContain("- [x] 1.1 ");
  });
});

it("a check that cannot be made lets the agent stop, and says so in one line", () => {
  const place = startPlace(specum, { "specs/demo/tasks.md": FOUR });
  tickByHand(place, "1.1");
  const dist = join(makeFolder(), "dist");
  cpSync(join(REPOSITORY, "plugins/ralph-specum/dist"), dist, { recursive: true });
  rmSync(join(dist, "cli.cjs"));
  const input = JSON.stringify({ session_id: SESSION, cwd: place.root });
  const options = { cwd: place.root, env: place.env, input };
  const { code, out } = runChild(
    process.execPath,
    [join(dist, "hook.cjs"), "specum", "stop"],
    options,
  );
  const { decision, systemMessage } = JSON.parse(out) as StopAnswer;
  expect([code, decision]).toEqual([0, undefined]);
  expect(systemMessage).toMatch(/^what was done since the last turn could not be checked: [^\n]+$/);
  expect(place.state()).toBeDefined();
});
