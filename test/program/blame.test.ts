import { describe, expect, it } from "vitest";
import { EXIT } from "../../src/apps/cli/command.ts";
import { specum } from "../support/editions.ts";
import { openRepository, type Repository } from "../support/repository.ts";
import { ordersFor } from "./agents.ts";
import { IDLE, report } from "./claims.ts";
import { makePlace, type Place } from "./support.ts";

const layout = specum;

describe("what lies uncommitted", () => {
  function begin(tasks = "- [ ] 1.1 First\n- [ ] 1.2 Second\n"): { place: Place; git: Repository } {
    const place = makePlace(layout, { [`${layout.specsDirs[0]}/demo/tasks.md`]: tasks });
    const git = openRepository(place.root, place.env["HOME"] as string);
    git.git("init", "-q", "-b", "main");
    git.commit();
    place.slash(["implement", "demo"]);
    return { place, git };
  }

  it("before the first commit is the task's too, except what was there already", () => {
    const place = makePlace(layout, { "mine.txt": "" });
    const git = openRepository(place.root, place.env["HOME"] as string);
    git.git("init", "-q", "-b", "main");
    git.git("add", "mine.txt");
    place.slash(["implement", "demo"]);
    git.write({ "new.txt": "" });
    const { out } = place.run(["done", "1.1", "--report", "TASK_COMPLETE"]);
    expect(out).toMatch(/^1\.1 is not committed: new\.txt\. Run `git add -- new\.txt /);
    git.git("add", "new.txt");
    git.git("commit", "-qm", "first", "--", "new.txt");
    expect(report(place)).toMatchObject({ code: 0 });
  });

  it("because a Verify wrote it is no task's work, unless a task lists it", () => {
    const writes = (name: string): string => `echo x > ${name}.log; test -f ${name}.txt`;
    const { place, git } = begin(
      `- [ ] 1.1 First\n  - **Verify**: \`${writes("a")}\`\n` +
        `- [ ] 1.2 Second\n  - **Files**: \`b.txt\`, \`b.log\`\n  - **Verify**: \`${writes("b")}\`\n`,
    );
    const commit = (name: string): void => {
      git.write({ [name]: "" });
      git.git("add", name);
      git.git("commit", "-qm", name);
    };
    commit("a.txt");
    expect(report(place)).toMatchObject({ code: 0 });
    expect(git.git("status", "--short")).toContain("?? a.log");
    commit("b.txt");
    expect(report(place, "TASK_COMPLETE", "1.2")).toMatchObject({ code: EXIT.refused });
    commit("b.log");
    expect(report(place, "TASK_COMPLETE", "1.2")).toMatchObject({ code: 0 });
  });

  it("in a group is not one member's fault if another lists no files", () => {
    const { place, git } = begin(
      "- [ ] 1.1 [P] First\n  - **Files**: `a.txt`\n- [ ] 1.2 [P] Second\n",
    );
    git.commit({ "a.txt": "", "b.txt": "" });
    expect(report(place)["notes"]).toEqual([]);
  });

  it.each(["resume", "implement"])(
    "when a run is interrupted is still the task's after %s",
    (how) => {
      const { place, git } = begin();
      git.write({ "new.txt": "half done\n" });
      place.slash([how, "demo"], "session-2");
      expect(ordersFor(place, "1.1", { session_id: "session-2" })).toMatch(
        /1\.1 was started at \S+ \S+ UTC and not finished; uncommitted: new\.txt/,
      );
      expect(report(place)).toMatchObject({ code: EXIT.refused });
      git.commit();
      expect(report(place)).toMatchObject({ code: 0 });
    },
  );

  it("before a run that follows a cancelled one is the user's own", () => {
    const { place, git } = begin();
    place.slash(["cancel", "demo"]);
    git.write({ "notes.txt": "mine\n" });
    place.slash(["implement", "demo"]);
    expect(ordersFor(place, "1.1")).not.toContain("was started at");
    expect(report(place, IDLE)).toMatchObject({ code: 0 });
    expect(report(place, IDLE, "1.2")).toMatchObject({ code: 0 });
  });
});
