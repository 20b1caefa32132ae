import { spawn } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { makeFolder } from "../../../test/program/temporary.ts";
import { transcript } from "./transcript.ts";

const AT = "2026-01-02T12:00:00.123Z";
const LATER = "2026-01-02T12:00:09.123Z";

const says = (content: string, more: object = {}) => ({
  type: "assistant.message",
  data: { content, toolRequests: [] },
  ...more,
});
const stop = (at: string, more: object = {}) => ({
  type: "hook.start",
  data: { hookType: "agentStop", input: { timestamp: Date.parse(at) } },
  ...more,
});
const user = { type: "user.message", data: { content: "TASK_COMPLETE" } };
const jsonl = (...records: readonly object[]): string =>
  records.map((record) => `${JSON.stringify(record)}\n`).join("");

function makeTranscript(text: string): string {
  const path = join(makeFolder(), "events.jsonl");
  writeFileSync(path, text);
  return path;
}

const read = (text: string, at = AT): string | null =>
  transcript.readLastMessage(makeTranscript(text), undefined, at);

it.each([
  [[user, says("first"), says("Done.\nTASK_COMPLETE"), stop(AT)], "Done.\nTASK_COMPLETE"],
  [[says("old"), stop(AT), user, says("newer")], "old"],
  [[says("mine"), says("its", { agentId: "a" }), stop(AT)], "mine"],
  [[says("mine"), user, stop(AT)], null],
  [[says("mine"), says(""), stop(AT)], null],
])("takes the main agent's last message before this stop", (records, message) => {
  expect(read(jsonl(...records))).toBe(message);
});

it("waits for what the client has not written yet", () => {
  const path = makeTranscript(jsonl(says("before"), stop(AT)));
  const more = jsonl(says("after"), stop(LATER));
  spawn(process.execPath, [
    "-e",
    `setTimeout(() => require("node:fs").appendFileSync(${JSON.stringify(path)}, ${JSON.stringify(more)}), 200)`,
  ]);
  expect(transcript.readLastMessage(path, undefined, LATER)).toBe("after");
});

it("does not wait forever, and then claims nothing", () => {
  expect(read(jsonl(says("TASK_COMPLETE"), stop(LATER)))).toBeNull();
}, 20_000);
