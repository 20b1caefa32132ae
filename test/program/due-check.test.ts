import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { specum } from "../support/editions.ts";
import { ordersFor, send, work } from "./agents.ts";
import { report } from "./claims.ts";
import { type Place, startPlace, userFileOf } from "./support.ts";

const layout = specum;

const CHECKED = `- [ ] 1.1 First
- [ ] 1.2 [VERIFY] Quality checkpoint
  - **Do**: Run all checks
  - **Verify**: \`echo ran >> runs; test -f made\`
- [ ] 1.3 Third
`;

const make = (place: Place, name = "made"): void => writeFileSync(join(place.root, name), "");
const about = (place: Place, id: string): unknown[] =>
  place.entries().filter(({ task }) => task === id);
const eventsOf = (place: Place, id: string): string[] =>
  place.entries().flatMap(({ task, event }) => (task === id ? [event] : []));

describe("a task that only runs commands", () => {
  const begin = (tasks = CHECKED, settings = ""): Place =>
    startPlace(layout, {
      [`${layout.specsDirs[0]}/demo/tasks.md`]: tasks,
      ...(settings === "" ? {} : { [userFileOf(layout)]: `---\n${settings}\n---\n` }),
    });

  it("is run after a report, and needs no agent if it passes", () => {
    const place = begin();
    make(place);
    const { context, say } = work(place, "1.1");
    expect(place.tasks()).toContain("- [x] 1.2 ");
    expect(about(place, "1.2")).toMatchObject([
      { event: "ready" },
      {
        event: "done",
        evidence: [{ command: "echo ran >> runs; test -f made", outcome: "passed" }],
        note: expect.stringContaining("no agent was needed") as string,
      },
    ]);
    expect(context).toContain("Task 1.3 → ");
    expect(say).toMatch(/✓ 1\.1 .* · ✓ 1\.2 checked \(echo ran .* · 2 of 3 · next 1\.3 Third$/);
    expect(place.json(["trace", "--check"])).toMatchObject({ ok: true });
  });

  it("is run at a stop too", () => {
    const place = begin();
    make(place);
    expect(report(place)).toMatchObject({ ok: true });
    expect(place.stop().reason).toContain("Task 1.3 → ");
    expect(place.tasks()).toContain("- [x] 1.2 ");
  });

  it.each(["at a stop", "after a report"])("ends the run %s if it is the last", (when) => {
    const place = begin(CHECKED.split("- [ ] 1.3")[0]);
    make(place);
    if (when === "at a stop") {
      report(place);
      expect(place.stop().systemMessage).toContain("all 2 tasks done");
    } else expect(work(place, "1.1").say).toContain("all 2 tasks done");
    expect(place.state()).toBeUndefined();
  });

  it("goes to the executor with what failed, and is run by the program only once", () => {
    const place = begin();
    const { context, say } = work(place, "1.1");
    expect(context).toContain(`Task 1.2 → ${layout.plugin}:spec-executor: `);
    expect(say).toContain("✗ 1.2 refused: its Verify");
    expect(place.tasks()).toContain("- [ ] 1.2 ");
    const orders = ordersFor(place, "1.2", { call: "a" });
    expect(orders).toContain(
      "> 1.2 is not done: its Verify `echo ran >> runs; test -f made` failed",
    );
    expect(orders).toContain("Fix the cause, commit, run them again");
    expect(orders).toContain("VERIFICATION_PASS");
    place.stop();
    place.stop();
    expect(eventsOf(place, "1.2").filter((event) => event === "refused")).toHaveLength(1);
    make(place);
    const fixed = work(place, "1.2", "1.2 fixed.\n\nVERIFICATION_PASS");
    expect(fixed.context).toContain("Task 1.3 → ");
    expect(place.tasks()).toContain("- [x] 1.2 ");
  });

  it("that takes the program with it is not tried again: an agent gets it", () => {
    const place = begin(CHECKED.replace("test -f made", "kill -9 $PPID"));
    make(place);
    report(place);
    expect(place.stop()).not.toHaveProperty("reason");
    expect(place.stop().reason).toContain("Task 1.2 → ");
    expect(eventsOf(place, "1.2")).toEqual(["ready"]);
  });

  it("does not pass by itself where evidence is only recorded", () => {
    const place = begin(CHECKED, "evidence: recorded");
    expect(work(place, "1.1").context).toContain("Task 1.2 → ");
    expect(place.tasks()).toContain("- [ ] 1.2 ");
  });

  it.each([
    ["with evidence that is off", CHECKED, "evidence: off"],
    ["outside the list of what may run", CHECKED, "verify_allow: [npm test]"],
    ["with criteria in words", CHECKED.replace("Run all checks", "Read the API's docs"), ""],
    ["without [VERIFY]", CHECKED.replace("[VERIFY] ", ""), "verify_before: false"],
  ])("is not run %s", (_, tasks, settings) => {
    const place = begin(tasks, settings);
    make(place);
    expect(work(place, "1.1").context).toContain("Task 1.2 → ");
    expect(existsSync(join(place.root, "runs"))).toBe(false);
  });

  it("is not run if the user has not agreed to it: they are asked", () => {
    const place = begin();
    make(place);
    writeFileSync(
      join(place.folder, "tasks.md"),
      place.tasks().replace("test -f made", "touch hacked"),
    );
    const { context, say } = work(place, "1.1");
    expect(context).toMatch(/^No task is handed out now: /);
    expect(say).toBeUndefined();
    expect(place.stop().systemMessage).toContain("touch hacked");
    expect(existsSync(join(place.root, "hacked"))).toBe(false);
    expect(place.state()).toMatchObject({ awaitingApproval: true });
  });

  it("is not run while the run is paused", () => {
    const place = begin();
    make(place);
    report(place);
    place.run(["pause"]);
    place.stop();
    expect(existsSync(join(place.root, "runs"))).toBe(false);
    expect(send(place, "1.2", { agent: "qa-engineer" }).denied).toContain("paused");
  });
});

it("as the first task: the coordinator ends its turn, and the stop runs it", () => {
  const place = startPlace(specum, {
    "specs/demo/tasks.md": "- [ ] 1.1 [VERIFY] All\n  - **Verify**: `test -d .`\n- [ ] 1.2 Next\n",
  });
  expect(place.slash(["resume"]).out).toContain("end your turn now");
  expect(place.stop().reason).toContain("Task 1.2 → ");
  expect(place.tasks()).toContain("- [x] 1.1 ");
});

it("several in a row are run at once", () => {
  const check = (id: string): string => `- [ ] ${id} [VERIFY] All\n  - **Verify**: \`test -d .\`\n`;
  const place = startPlace(specum, {
    "specs/demo/tasks.md": `- [ ] 1.1 First\n${check("1.2")}${check("1.3")}- [ ] 1.4 Last\n`,
  });
  expect(work(place, "1.1").context).toContain("Task 1.4 → ");
});
