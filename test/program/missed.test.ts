import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { specum } from "../support/editions.ts";
import { report, tickByHand } from "./claims.ts";
import { begin } from "./commit-run.ts";
import { IN_SESSION, pointerOf, startPlace } from "./support.ts";

const layout = specum;

describe("a run that is on and not to be seen", () => {
  it("is reported once, and is over", () => {
    const place = startPlace(layout);
    rmSync(join(place.folder, layout.stateFile));
    expect(place.stop({ session_id: "session-2" })).toEqual({});
    const { systemMessage } = place.stop();
    expect(systemMessage).toMatch(
      /the run of demo stopped before it was finished: its state file is gone/,
    );
    expect(place.stop()).toEqual({});
    expect(place.slash(["resume"]).code).toBe(0);
    expect(place.stop()).toMatchObject({ decision: "block" });
  });

  it("ends like any other if every box is proven: receipt, summary, commit and the line for the user", () => {
    const { place, commit, git } = begin(undefined, {}, layout);
    for (const key of ["name", "email"]) git("config", `user.${key}`, "tess@example.com");
    commit({ "a.txt": "1\n" });
    for (const id of ["1.1", "1.2"])
      expect(report(place, "NO_CHANGE: one commit did both\nTASK_COMPLETE", id)["ok"]).toBe(true);
    rmSync(join(place.folder, layout.stateFile));
    expect(place.stop({ session_id: "session-2" })).toEqual({});
    const { decision, systemMessage } = place.stop();
    expect(decision).toBeUndefined();
    expect(systemMessage).toMatch(
      /all 2 tasks done .*; summary and receipt are in \.progress\.md$/,
    );
    const notes = readFileSync(join(place.folder, ".progress.md"), "utf8");
    expect(notes).toContain("## Receipt");
    expect(notes).toMatch(/## Summary\n\n2 of 2 tasks done/);
    expect(git("log", "-1", "--format=%s")).toBe("docs(demo): all tasks done");
    expect(place.entries().map(({ event }) => event)).toContain("repaired");
    expect(place.entries().at(-1)).toMatchObject({ event: "finished", loop: { open: false } });
    expect(place.state()).toBeUndefined();
    expect(place.stop()).toEqual({});
  });

  it("is checked as ever if boxes were ticked before that", () => {
    const { place } = begin(undefined, {}, layout);
    for (const id of ["1.1", "1.2"]) tickByHand(place, id);
    rmSync(join(place.folder, layout.stateFile));
    expect(place.stop()).toMatchObject({ decision: "block" });
    expect(place.tasks()).toContain("- [ ] 1.1 ");
  });

  it("is missed also if another folder of its name is pointed at", () => {
    const place = startPlace(layout, { "other/demo/notes.md": "" });
    writeFileSync(join(place.root, pointerOf(layout)), "./other/demo\n");
    expect(place.stop().systemMessage).toMatch(/stopped before it was finished/);
  });

  it("is not reported to another session, nor after its user's own switch; hidden, it is reported once", () => {
    const place = startPlace(layout);
    rmSync(join(place.root, pointerOf(layout)));
    expect(place.stop({ session_id: "session-2" })).toEqual({});
    place.slash(["switch", "demo"]);
    place.run(["pause"], IN_SESSION);
    rmSync(join(place.root, pointerOf(layout)));
    expect(place.stop().systemMessage).toMatch(
      /the run of demo is waiting for you, but \S+ no longer names/,
    );
    expect(place.stop()).toEqual({});
  });
});
