import { cpSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { EXIT } from "../../src/apps/cli/command.ts";
import { layouts, specum } from "../support/editions.ts";
import { fewOf } from "../support/full.ts";
import { ordersFor } from "./agents.ts";
import { REPOSITORY, runChild } from "./child.ts";
import { placeWith, report, tickByHand } from "./claims.ts";
import {
  expectRefusal,
  IN_SESSION,
  type Place,
  SESSION,
  startPlace,
  type StopAnswer,
} from "./support.ts";
import { makeFolder } from "./temporary.ts";

const eventsOf = (place: Place, id: string): string[] =>
  place.entries().flatMap(({ event, task }) => (task === id ? [event] : []));

const FOUR = [1, 2, 3, 4]
  .map((n) => `- [ ] 1.${n} Part ${n}\n  - **Verify**: \`test -f made-${n}\`\n`)
  .join("");

describe.each(fewOf(layouts))("$plugin: a box that is ticked by hand", (layout) => {
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
      tasks: [{ standing: "accepted" }, { standing: "open" }],
    });
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
