import { execFileSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { copilot } from "../../src/hosts/copilot/host.ts";
import type { Edition } from "../../src/layouts/layout.ts";
import { specum } from "../support/editions.ts";
import { makePlace, type Place, type StopAnswer } from "./support.ts";

const HOST = { host: "copilot" };
const MAX = copilot.stops?.max as number;
const LAST = "Copilot CLI ends this prompt with your next turn";

const tasksOf = (count: number): string =>
  Array.from(
    { length: count },
    (_, i) => `- [ ] 1.${i + 1} Write f${i + 1}\n  - **Verify**: \`grep -q done f${i + 1}\`\n`,
  ).join("");

function begin(layout: Edition, tasks: number): Place {
  const place = makePlace(layout, { [`${layout.specsDirs[0]}/demo/tasks.md`]: tasksOf(tasks) });
  const git = (...args: string[]) =>
    execFileSync("git", args, { cwd: place.root, env: { ...place.env } });
  git("init", "--quiet");
  git("config", "user.email", "t@localhost");
  git("config", "user.name", "t");
  git("add", ".");
  git("commit", "--quiet", "-m", "start");
  return place;
}

function type(place: Place, command: string): string {
  const prompt = `/${place.layout.plugin}:${command}`;
  const { code, out } = place.hook("prompt", { prompt }, HOST);
  expect(code).toBe(0);
  return (JSON.parse(out) as { additionalContext: string }).additionalContext;
}

function work(place: Place, file: string): void {
  writeFileSync(join(place.root, file), "done\n");
  const options = { cwd: place.root, env: { ...place.env } };
  execFileSync("git", ["add", file], options);
  execFileSync("git", ["commit", "--quiet", "-m", file], options);
}

let stops = 0;

/** A stop after this message, which only the client's transcript has. */
function say(place: Place, message: string, continuing: boolean): StopAnswer {
  const at = new Date(Date.UTC(2026, 0, 1) + ++stops).toISOString();
  const path = join(place.root, "..", "events.jsonl");
  const records = [
    { type: "assistant.message", data: { content: message } },
    { type: "hook.start", data: { hookType: "agentStop", input: { timestamp: Date.parse(at) } } },
  ];
  writeFileSync(path, records.map((record) => `${JSON.stringify(record)}\n`).join(""));
  const fields = { transcript_path: path, timestamp: at, stop_hook_active: continuing };
  const { code, out } = place.hook("stop", fields, HOST);
  expect(code).toBe(0);
  return out === "" ? {} : (JSON.parse(out) as StopAnswer);
}

describe("a client that counts continuations and shows no lines", () => {
  const layout = specum;
  it("says before the last one how to go on, once for each prompt", () => {
    const place = begin(layout, MAX + 3);
    type(place, "implement demo");
    const reasons = Array.from({ length: MAX }, (_, i) => {
      work(place, `f${i + 1}`);
      return say(place, "Did it.\nTASK_COMPLETE", i > 0).reason ?? "";
    });
    expect(reasons.map((reason) => reason.includes(LAST))).toEqual(
      reasons.map((_, i) => i === MAX - 1),
    );
    expect(reasons.at(-1)).toContain(`\`/${layout.plugin}:resume\` continues here`);
    expect(reasons.at(-1)).toContain(`# Task 1.${MAX + 1} of`);
    // The next prompt has its own count.
    type(place, "resume");
    work(place, `f${MAX + 1}`);
    expect(say(place, "TASK_COMPLETE", false).reason).toContain(`# Task 1.${MAX + 2} of`);
    work(place, `f${MAX + 2}`);
    expect(say(place, "TASK_COMPLETE", true).reason).not.toContain(LAST);
  });

  it("has the agent tell the user why the run has ended, once", () => {
    const place = begin(layout, 1);
    type(place, "implement demo");
    work(place, "f1");
    const end = say(place, "TASK_COMPLETE", false).reason ?? "";
    expect(end).toMatch(/^Smart Ralph, at the end of your turn:\n\nTell the user this/);
    expect(end).toContain("; 1 proven;");
    expect(place.state()).toBeUndefined();
    expect(say(place, "All is done.", true).reason).toBeUndefined();
  });

  it("does not repeat to the user what the agent itself waits for", () => {
    const place = begin(layout, 2);
    type(place, "implement demo");
    type(place, "pause");
    expect(say(place, "Paused.", false).reason).toBeUndefined();
  });
});
