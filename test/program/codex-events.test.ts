import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { layouts } from "../support/editions.ts";
import { makePlace, type Place, SESSION } from "./support.ts";

const HOST = { host: "codex" };
const [layout] = layouts;
const FOLDER = `${layout.specsDirs[0]}/demo`;

/** What only Codex reports, of a run that goes on. */
function begin(): Place {
  const place = makePlace(layout, { [`${FOLDER}/tasks.md`]: "# Tasks\n\n- [ ] 1.1 Write a\n" });
  type(place, `$${layout.plugin}:implement demo`);
  expect(place.state()).toMatchObject({ phase: "execution" });
  return place;
}

const type = (place: Place, prompt: string, more: object = {}): string =>
  place.hook("prompt", { prompt, session_id: SESSION, ...more }, HOST).out;

it("Escape pauses the run until the user types", () => {
  const place = begin();
  expect(place.hook("interrupt", { session_id: "another" }, HOST).out).toBe("");
  expect(place.state()).toMatchObject({ paused: false });
  const { out } = place.hook("interrupt", { session_id: SESSION }, HOST);
  expect(JSON.parse(out)).toEqual({ systemMessage: expect.stringContaining("paused") as string });
  expect(place.state()).toMatchObject({ paused: true });
  type(place, "go on");
  expect(place.state()).toMatchObject({ paused: false });
});

it("a command from the client's queue is not run, because agents can fill it", () => {
  const place = begin();
  const transcript = join(place.root, "client", "rollout.jsonl");
  mkdirSync(join(transcript, ".."));
  const turnFrom = (turn_trigger: string): object => {
    const payload = { type: "task_started", turn_attribution: { turn_trigger } };
    writeFileSync(transcript, `${JSON.stringify({ type: "event_msg", payload })}\n`);
    return { transcript_path: transcript };
  };
  expect(type(place, `$${layout.plugin}:cancel`, turnFrom("queue"))).not.toContain("cancelled");
  expect(place.state()).toBeDefined();
  type(place, `$${layout.plugin}:cancel`, turnFrom("user"));
  expect(place.state()).toBeUndefined();
});
