import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { specum } from "../support/editions.ts";
import { type Place, SESSION, startPlace } from "./support.ts";

const layout = specum;

const NEWS = "<task-notification>\n<task-id>a</task-id>\n</task-notification>";
const said = (content: unknown, more: object = {}): object => ({
  type: "user",
  message: { role: "user", content },
  ...more,
});
const escaped = said([{ type: "text", text: "[Request interrupted by user]" }]);
const notified = said(NEWS);

/** The client wakes the agent because another one has ended in the background. */
function wake(place: Place, records: readonly object[], session = SESSION): string {
  const transcript_path = join(place.root, "..", "transcript.jsonl");
  writeFileSync(transcript_path, records.map((record) => `${JSON.stringify(record)}\n`).join(""));
  const { code, out } = place.hook("prompt", {
    prompt: NEWS,
    transcript_path,
    session_id: session,
  });
  expect(code).toBe(0);
  return out;
}

const events = (place: Place): string[] => place.entries().map(({ event }) => event);

describe("Escape", () => {
  const resume = `/${layout.plugin}:resume`;

  it("pauses the run before an agent's end wakes it, and says so once", () => {
    const place = startPlace(layout);
    const { systemMessage, hookSpecificOutput } = JSON.parse(wake(place, [escaped, notified]));
    expect(systemMessage).toContain(
      `paused, because you pressed Esc; type anything or ${resume} to go on`,
    );
    expect(hookSpecificOutput.additionalContext).toContain("Start nothing");
    expect(place.stop()).not.toHaveProperty("decision");
    expect(wake(place, [escaped, notified, notified])).toBe("");
    expect(events(place)).toEqual(["start", "paused"]);
    expect(place.json(["status"])).toMatchObject({ standing: "paused", why: "you pressed Esc" });
  });

  it("is over when the user types", () => {
    const place = startPlace(layout);
    wake(place, [escaped]);
    expect(place.hook("prompt", { prompt: "/help" }).out).toBe("");
    expect(place.state()).toMatchObject({ paused: true });
    expect(place.hook("prompt", { prompt: "what now?", session_id: "other" }).out).toBe("");
    expect(place.state()).toMatchObject({ paused: true });
    expect(place.hook("prompt", { prompt: "go on" }).out).toContain("the loop is running");
    expect(place.stop()).toMatchObject({ decision: "block" });
    expect(events(place)).toEqual(["start", "paused", "unpaused", "continue"]);
  });

  it("is over when the user resumes", () => {
    const place = startPlace(layout);
    wake(place, [escaped]);
    expect(place.slash(["resume"]).out).toContain("Task 1.1 → ");
    expect(place.stop()).toMatchObject({ decision: "block" });
  });

  it("becomes a pause that stays, when somebody pauses", () => {
    const place = startPlace(layout);
    wake(place, [escaped]);
    expect(place.json(["pause"])).toMatchObject({ changed: true });
    expect(place.json(["pause"])).toMatchObject({ changed: false });
    place.hook("prompt", { prompt: "go on" });
    expect(place.stop()).not.toHaveProperty("decision");
  });

  it("does not end any other pause", () => {
    const place = startPlace(layout);
    place.run(["pause"]);
    expect(wake(place, [escaped])).toBe("");
    place.hook("prompt", { prompt: "go on" });
    expect(place.stop()).not.toHaveProperty("decision");
  });

  it.each<[what: string, records: readonly object[]]>([
    ["nobody pressed it", [said("go"), notified]],
    ["the user has typed since", [escaped, said("go on"), notified]],
    ["a sub-agent was interrupted", [said("go"), { ...escaped, isSidechain: true }, notified]],
    ["somebody quotes it", [said("What is [Request interrupted by user]?"), notified]],
    ["there is no transcript", []],
  ])("changes nothing where %s", (_, records) => {
    const place = startPlace(layout);
    expect(wake(place, records)).toBe("");
    expect(place.stop()).toMatchObject({ decision: "block" });
  });

  it("counts where a tool was interrupted, and after results and large records of the client", () => {
    const place = startPlace(layout);
    const records = [
      said([{ type: "text", text: "[Request interrupted by user for tool use]" }]),
      said([{ type: "tool_result", content: "late" }]),
      { type: "api-request-blob", message: { role: "user", content: "x".repeat(300_000) } },
      said("Stop hook feedback:\nContinue", { isMeta: true }),
      notified,
    ];
    expect(wake(place, records)).toContain("you pressed Esc");
  });

  it("is nothing to other sessions", () => {
    const place = startPlace(layout);
    expect(wake(place, [escaped], "other")).toBe("");
    expect(place.stop()).toMatchObject({ decision: "block" });
  });
});
