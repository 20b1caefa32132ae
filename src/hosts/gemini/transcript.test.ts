import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { transcript } from "./transcript.ts";

const folder = mkdtempSync(join(tmpdir(), "gemini-transcript-"));
const file = join(folder, "session.jsonl");
afterAll(() => rmSync(folder, { recursive: true }));

const AT = "2026-11-16T05:34:25.020Z";
const head = { sessionId: "s", startTime: "2026-11-16T05:34:24.343Z", kind: "main" };
const touched = { $set: { lastUpdated: AT } };
const said = (content: string, more = {}) => ({ type: "gemini", timestamp: AT, content, ...more });
const asked = (text: string) => ({ type: "user", timestamp: AT, content: [{ text }] });
const result = { type: "user", content: [{ functionResponse: { name: "run_shell_command" } }] };
const cancelled = { type: "info", content: "Request cancelled." };

const write = (...records: readonly unknown[]): void =>
  writeFileSync(file, records.map((one) => `${JSON.stringify(one)}\n`).join(""));
const last = (began?: string) => transcript.readLastMessage(file, began, undefined);

describe("the last message", () => {
  it("is that of the last turn alone", () => {
    write(
      head,
      asked("go"),
      said("TASK_COMPLETE"),
      asked("Continue"),
      said("Let me see."),
      touched,
    );
    expect(last()).toBe("Let me see.");
  });

  it("comes after the results of tools, and from after the run began", () => {
    write(head, asked("go"), said("I look", { toolCalls: [{}] }), result, said("Done."), touched);
    expect(last()).toBe("Done.");
    expect(last("2026-11-16T05:34:25.000Z")).toBe("Done.");
    expect(last("2026-11-16T05:34:26.000Z")).toBeNull();
  });

  it("is nothing if the agent said nothing", () => {
    write(head, asked("go"), said("I look", { toolCalls: [{}] }), result, touched);
    expect(last()).toBeNull();
    write(head, asked("go"), said(""));
    expect(last()).toBeNull();
    write(head, said("before"), asked("go"));
    expect(last()).toBeNull();
  });

  it("is nothing without a file that can be read", () => {
    writeFileSync(file, "no JSON\n[]\n7\n{");
    expect(last()).toBeNull();
    expect(transcript.readLastMessage(join(folder, "none"), undefined, undefined)).toBeNull();
  });
});

it("shows that the user pressed Escape, until they type again", () => {
  write(
    head,
    asked("go"),
    said("I look"),
    cancelled,
    touched,
    said("", { toolCalls: [{}] }),
    result,
  );
  expect(transcript.readInterrupted(file)).toBe(true);
  write(head, asked("go"), cancelled, asked("go on"), said("Yes."));
  expect(transcript.readInterrupted(file)).toBe(false);
  write(head, asked("go"), said("Yes."));
  expect(transcript.readInterrupted(file)).toBe(false);
});
