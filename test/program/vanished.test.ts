import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { EXIT } from "../../src/apps/cli/command.ts";
import { specum } from "../support/editions.ts";
import { report, tickByHand } from "./claims.ts";
import { type Place, startPlace } from "./support.ts";

const layout = specum;

describe("a list cannot be finished by changing it:", () => {
  const LAST = "- [ ] 1.2 Second\n  - **Verify**: `test -f never`\n";
  const begin = (tasks = `- [ ] 1.1 First\n  - **Verify**: \`test -d .\`\n${LAST}`): Place =>
    startPlace(layout, { [`${layout.specsDirs[0]}/demo/tasks.md`]: tasks });
  const replace = (place: Place, text: string, by: string): void =>
    writeFileSync(join(place.folder, "tasks.md"), place.tasks().replace(text, by));
  const LOST = /waiting for you: 1\.2 is no longer in tasks\.md/;

  it("a task that is deleted while others are open is asked about at the end", () => {
    const place = begin();
    replace(place, LAST, "");
    expect(place.stop().decision).toBe("block");
    expect(report(place)).toMatchObject({ code: 0 });
    expect(place.stop().systemMessage).toMatch(LOST);
    expect(place.stop().systemMessage).toMatch(LOST);
    expect(place.slash(["approve"]).out).toContain("1.2 is no longer part of the plan.");
    expect(place.stop().systemMessage).toMatch(/1 task done/);
  });

  it("another id and another task's Verify do not make it another task", () => {
    const place = begin();
    replace(place, LAST, "- [ ] 9.9 Second\n  - **Verify**: `test -d .`\n");
    report(place);
    expect(report(place, "TASK_COMPLETE", "9.9")).toMatchObject({ code: 0 });
    expect(place.stop().systemMessage).toMatch(LOST);
  });

  it("nor does a resume overlook it", () => {
    const place = begin();
    report(place);
    replace(place, LAST, "");
    expect(place.slash(["resume", "demo"], "session-2").out).toMatch(/^1\.2 is no longer in/);
    expect(place.state()).toMatchObject({ awaitingApproval: true });
  });

  it("a Verify that ticks the other boxes ticks nothing", () => {
    const file = `${layout.specsDirs[0]}/demo/tasks.md`;
    const tick = `sed -i.old 's/- \\[ \\] 1/- [x] 1/' ${file}`;
    const place = begin(`${LAST}- [ ] 1.3 Third\n  - **Verify**: \`${tick}\`\n`);
    tickByHand(place, "1.3");
    expect(place.stop().decision).toBe("block");
    expect(place.tasks()).toContain("- [ ] 1.2 ");
  });

  it("tasks without ids cannot take each other's Verify or place", () => {
    const task = (title: string, verify: string, box = " "): string =>
      `- [${box}] ${title}\n  - **Verify**: \`${verify}\`\n`;
    const place = begin(task("First", "test -d .") + task("Second", "test -f never"));
    replace(place, "test -f never", "test -d .");
    report(place, "TASK_COMPLETE", "#1");
    expect(report(place, "TASK_COMPLETE", "#2")).toMatchObject({ code: EXIT.refused });
    expect(place.stop().systemMessage).toContain(
      '"#Second" has a Verify that you have not approved',
    );
    writeFileSync(join(place.folder, "tasks.md"), task("Second", "test -f never", "x"));
    place.slash(["approve"]);
    expect(place.stop().systemMessage).toContain('"#First" is no longer in tasks.md');
  });

  it("of two tasks with one id, the ticked one is checked", () => {
    const place = begin(LAST + LAST.replace("Second", "Again"));
    replace(place, "- [ ] 1.2 Again", "- [x] 1.2 Again");
    expect(place.stop().decision).toBe("block");
    expect(place.tasks()).toContain("- [ ] 1.2 Again");
  });
});
