import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { layouts } from "../support/editions.ts";
import { fewOf } from "../support/full.ts";
import { IN_SESSION, pointerOf, startPlace } from "./support.ts";

describe.each(fewOf(layouts))("a run of $plugin that is on and not to be seen", (layout) => {
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
