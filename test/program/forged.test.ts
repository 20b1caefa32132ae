import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { EXIT } from "../../src/apps/cli/command.ts";
import { specum } from "../support/editions.ts";
import { expectRefusal, IN_SESSION, type Place, startPlace } from "./support.ts";

const layout = specum;

const forge = (place: Place, state: object | string): void =>
  writeFileSync(
    join(place.folder, place.layout.stateFile),
    typeof state === "string" ? state : JSON.stringify(state),
  );

const remove = (place: Place): void => rmSync(join(place.folder, place.layout.stateFile));

/** A client of today, whose session began a minute ago. */
function sayWhen(place: Place): [fields: object, options: { env: Record<string, string> }] {
  const path = join(place.root, "..", "transcript.jsonl");
  const timestamp = new Date(Date.now() - 60_000).toISOString();
  writeFileSync(path, `${JSON.stringify({ type: "user", timestamp })}\n`);
  return [{ transcript_path: path }, { env: { CLAUDECODE: "1" } }];
}

describe("a run", () => {
  it("stays with its session, whatever session the state names", () => {
    const place = startPlace(layout);
    for (const state of [
      { ...place.state(), sessionId: "nobody" },
      { phase: "execution", sessionId: "nobody" },
    ]) {
      forge(place, state);
      expect(place.stop()).toMatchObject({ decision: "block" });
    }
    expect(place.state()).toMatchObject({ globalIteration: 3 });
  });

  it.each<[end: string, how: (place: Place) => void]>([
    ["was cancelled", (place) => void place.slash(["cancel"])],
    ["was lost", remove],
  ])("that %s is not begun again by a state that somebody writes", (_, how) => {
    for (const isDated of [true, false]) {
      const place = startPlace(layout);
      const { runToken } = place.state() as { runToken: string };
      const when = isDated ? sayWhen(place) : [];
      how(place);
      place.stop(...when);
      for (const more of [{}, { runToken }]) {
        forge(place, { phase: "execution", maxGlobalIterations: 1e6, ...more });
        expect(place.stop(...when)).not.toHaveProperty("decision");
        expectRefusal(
          place.run(["done", "1.1", "--report", "TASK_COMPLETE"], IN_SESSION),
          EXIT.refused,
          "was not started on this machine",
        );
      }
      expect(place.slash(["resume"])).toMatchObject({ code: 0, err: "" });
      expect(place.stop(...when)).toMatchObject({ decision: "block" });
      expect(place.entries().at(-1)?.loop).toMatchObject({ iteration: 2, maxIterations: 100 });
    }
  });

  it("that is broken first and then removed is missed all the same", () => {
    const place = startPlace(layout);
    forge(place, "{");
    expect(place.stop()).toMatchObject({ decision: "block" });
    remove(place);
    expect(place.stop().systemMessage).toContain("the run of demo stopped before it was finished");
    expect(place.stop()).toEqual({});
  });
});
