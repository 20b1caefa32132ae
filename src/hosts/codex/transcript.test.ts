import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { fillFolder, makeFolder } from "../../../test/program/temporary.ts";
import { readInterrupted, readLastMessage, readQueued, readServiceError } from "./transcript.ts";

const line = (second: number, type: string, payload: unknown): string =>
  JSON.stringify({ timestamp: `2026-11-16T05:00:0${second}.000Z`, type, payload });

const begun = [
  line(0, "session_meta", { session_id: "s" }),
  line(1, "event_msg", { type: "task_started" }),
  line(2, "response_item", { type: "message", role: "user", content: [] }),
];
const done = line(3, "event_msg", { type: "task_complete", last_agent_message: "TASK_COMPLETE" });
const failed = line(3, "event_msg", {
  type: "task_complete",
  last_agent_message: null,
  error: { message: "exceeded retry limit, last status: 429 Too Many Requests" },
});
const stopped = line(3, "event_msg", { type: "turn_aborted", reason: "interrupted" });
const again = line(4, "event_msg", { type: "task_started" });

const file = (...lines: readonly string[]): string =>
  join(fillFolder(makeFolder(), { t: `${lines.join("\n")}\n` }), "t");

describe("the client's record of a session", () => {
  it("says which error ended the last turn", () => {
    expect(readServiceError(file(...begun, failed), undefined)).toContain("429");
    expect(readServiceError(file(...begun, done), undefined)).toBeUndefined();
    expect(readServiceError(file(...begun, failed, again), undefined)).toBeUndefined();
    expect(readServiceError("/no/such/file", undefined)).toBeUndefined();
  });

  it("leaves alone what was before the run", () => {
    const path = file(...begun, failed);
    expect(readServiceError(path, "2026-11-16T05:00:02.000Z")).toContain("429");
    expect(readServiceError(path, "2026-11-16T05:00:04.000Z")).toBeUndefined();
    expect(readServiceError(path, "2999-01-01T00:00:00.000Z")).toBeUndefined();
  });

  it("knows that the user pressed Escape, until another turn begins", () => {
    expect(readInterrupted(file(...begun, stopped))).toBe(true);
    expect(readInterrupted(file(...begun, stopped, again))).toBe(false);
    expect(readInterrupted(file(...begun, done))).toBe(false);
  });

  it("knows a turn that came from the queue", () => {
    const from = (turn_trigger: string): string =>
      line(1, "event_msg", { type: "task_started", turn_attribution: { turn_trigger } });
    expect(readQueued(file(from("user"), done, from("queue")))).toBe(true);
    expect(readQueued(file(from("queue"), done, from("user")))).toBe(false);
    expect(readQueued(file(...begun))).toBe(false);
    expect(readQueued("/no/such/file")).toBe(false);
  });

  it("has the last message", () => {
    expect(readLastMessage(file(...begun, done, "half a li"), undefined)).toBe("TASK_COMPLETE");
    expect(readLastMessage(file(...begun, failed), undefined)).toBeNull();
    expect(readLastMessage(file(...begun), undefined)).toBeNull();
  });
});
