import { describe, expect, test } from "vitest";
import { isFull } from "../support/full.ts";
import type { Ask } from "./ask.ts";
import { crew, DONE, READY } from "./crew.ts";
import { hookAnswers } from "./hooks.ts";
import type { Limits } from "./model.ts";
import { oneLayout, type Place, specFiles } from "./place.ts";
import { stageClient, stageModel, stagePlace } from "./stage.ts";

const GOAL = "Add a greeting to the program";

/** A command of the user's, and the words that end it. */
type Said = readonly [command: string, until: RegExp];

/** A session that is killed, with all that it started, at a moment; or after the last thing said to it. */
async function session(
  place: Place,
  calls: Limits,
  said: readonly Said[],
  killedAt?: string,
): Promise<{ notice: string; asks: readonly Ask[] }> {
  let isKilled = false;
  const { script } = crew(place, {
    instead(_ask, role) {
      if (role.kind !== "writer") return undefined;
      const moment = `${role.step === 1 ? "writes" : "has written"} ${role.writing.document}`;
      if (moment !== killedAt) return undefined;
      isKilled = true;
      client.kill();
      return "Nobody hears this.";
    },
  });
  const model = await stageModel(script, calls);
  const client = await stageClient(place, model, {});
  for (const [command, until] of said) await client.say(place.slash(command), until);
  client.kill();
  expect((await client.done).signal).toBe("SIGKILL");
  expect(isKilled).toBe(killedAt !== undefined);
  const notice = hookAnswers(client.events, "SessionStart").at(-1)?.systemMessage ?? "";
  return { notice, asks: model.asks };
}

describe.each(oneLayout)("$id: a client that is killed", (layout) => {
  const name = `${layout.id === "speckit" ? "001-" : ""}add-greeting-program`;
  const folder = `${layout.specs}/${name}`;
  const [first, second, third] = layout.documents;
  const [phase, next, last] = layout.phases;

  test("in each phase, at each kind of moment; the next session knows, and continues", async () => {
    const place = stagePlace(layout);
    const spec = specFiles(place, folder);

    const begin: Said = [`start "${GOAL}"`, READY];
    await session(place, { main: 1, sub: 1 }, [begin], `writes ${first}`);
    expect(spec.state()).toMatchObject({ phase, awaitingApproval: false });
    expect(place.has(`${folder}/${first}`)).toBe(false);

    // A document: one call, and words for the user.
    const goOn: Said = ["start", READY];
    const begun = await session(
      place,
      { main: 2 + 1, sub: 4 },
      [goOn, [next, READY]],
      `has written ${second}`,
    );
    expect(begun.notice).toContain(`${name}: in phase ${phase}; ${place.slash("start")} continues`);
    expect(spec.state()).toMatchObject({ phase: next, awaitingApproval: false });
    expect(place.has(`${folder}/${second}`)).toBe(true);

    const written = await session(place, { main: 2 + 2, sub: 4 }, [goOn, [last, READY]]);
    expect(written.notice).toContain(
      `${name}: in phase ${next}; ${place.slash("start")} continues`,
    );
    expect(written.asks[0]?.text).toContain(`${second} already exists`);
    expect(spec.state()).toMatchObject({ phase: last, awaitingApproval: true });

    const rest: Said[] = layout.id === "specum" ? [["tasks", READY]] : [];
    rest.push(["implement", DONE]);
    const waiting = await session(place, { main: 2 + 2, sub: 4 }, rest);
    expect(waiting.notice).toContain(
      `${third} waits for your approval; ${place.slash(rest[0]?.[0] as string)} approves it`,
    );
    expect(spec.open()).toEqual([]);
    expect(spec.state()).toBeUndefined();
    expect(place.program("trace", "--check")).toContain("no problems");
  });

  // The same record, and the same next session, as above.
  test.runIf(isFull)("in the middle of quick mode", async () => {
    const place = stagePlace(layout);
    const spec = specFiles(place, folder);
    const begin: Said = [`start "${GOAL}" --quick`, DONE];
    await session(place, { main: 2, sub: 3 }, [begin], `writes ${second}`);
    expect(spec.state()).toMatchObject({ phase: next, quickMode: true });

    const left = layout.documents.length - 1;
    const calls = { main: left + 1 + 1 + 1, sub: 2 * left + 2 + 1 };
    const { notice } = await session(place, calls, [["start", DONE]]);
    expect(notice).toContain(`${name}: in phase ${next}; ${place.slash("start")} continues`);
    expect(spec.open()).toEqual([]);
    expect(spec.state()).toBeUndefined();
  });
});
