import { execFileSync } from "node:child_process";
import { mkdirSync, symlinkSync, truncateSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { makeFolder } from "../../../test/program/temporary.ts";
import { readLastMessage, readServiceError } from "./transcript.ts";

const BEGAN = "2026-01-02T12:00:00.000Z";
const at = (minutes: number): string =>
  new Date(Date.parse(BEGAN) + minutes * 60_000).toISOString();

const says = (content: unknown, more: object = {}) => ({
  type: "assistant",
  timestamp: at(1),
  message: { role: "assistant", content },
  ...more,
});
const text = (words: string) => [{ type: "text", text: words }];
const user = { type: "user", timestamp: at(1), message: { content: "go on" } };
const toolUse = says([{ type: "tool_use", name: "Bash", input: {} }]);

function makeTranscript(content: string): string {
  const path = join(makeFolder(), "transcript.jsonl");
  writeFileSync(path, content);
  return path;
}

const jsonl = (...records: readonly unknown[]): string =>
  records.map((record) => `${JSON.stringify(record)}\n`).join("");

describe("the last message of a transcript", () => {
  it.each<[what: string, content: string, expected: string | null]>([
    ["text", jsonl(user, says(text("one")), says(text("two"))), "two"],
    ["text as a bare string", jsonl(says("plain")), "plain"],
    [
      "parts that are no text",
      jsonl(says([null, 5, { type: "text", text: { toString: 1 } }])),
      null,
    ],
    [
      "a time that is none",
      jsonl(says(text("x"), { timestamp: { toString: null, valueOf: null } })),
      "x",
    ],
    ["several parts", jsonl(says([...text("a"), { type: "thinking" }, ...text("b")])), "a\nb"],
    ["text before a tool call", jsonl(says(text("working")), toolUse), "working"],
    ["records of other kinds behind it", jsonl(says(text("x")), { type: "summary" }), "x"],
    [
      "a sub-agent's words behind it",
      jsonl(says(text("mine")), says(text("theirs"), { isSidechain: true })),
      "mine",
    ],
    ["a user's words behind it", jsonl(says(text("old")), user), null],
    ["only words from before the run", jsonl(says(text("old"), { timestamp: at(-1) })), null],
    ["no time on its words", jsonl(says(text("x"), { timestamp: undefined })), "x"],
    ["only a tool call", jsonl(toolUse), null],
    ["nothing in it", "", null],
    ["a torn last line", `${jsonl(says(text("whole")))}{"type":"assist`, "whole"],
    [
      "odd values for lines",
      `${jsonl(says(text("x")))}[]\nnull\n3\n"s"\n{}\n{"type":"assistant"}\n`,
      "x",
    ],
    ["odd parts", jsonl(says([null, 3, { type: "text" }, { type: "text", text: "x" }])), "\nx"],
    [
      "plain text, line by line",
      "thinking\n\nALL_TASKS_COMPLETE\n",
      "thinking\nALL_TASKS_COMPLETE",
    ],
  ])("with %s", (_, content, expected) => {
    expect(readLastMessage(makeTranscript(content), BEGAN)).toBe(expected);
  });

  it("is nothing in a file that was last written before the run", () => {
    const path = makeTranscript("ALL_TASKS_COMPLETE\n");
    const old = Date.parse(BEGAN) / 1000 - 60;
    utimesSync(path, old, old);
    expect(readLastMessage(path, BEGAN)).toBeNull();
    expect(readLastMessage(path, undefined)).toBe("ALL_TASKS_COMPLETE");
  });

  it("is found at the end of 2 GB, which no text can hold", () => {
    const path = makeTranscript("");
    truncateSync(path, 2 ** 31);
    writeFileSync(path, `\n${jsonl(says(text("the end")))}`, { flag: "a" });
    expect(readLastMessage(path, BEGAN)).toBe("the end");
  });

  it.each<[what: string, make: (path: string) => void]>([
    ["nothing", () => {}],
    ["a folder", (path) => mkdirSync(path)],
    ["a FIFO", (path) => void execFileSync("mkfifo", [path])],
    ["a loop of links", (path) => symlinkSync(path, path)],
  ])("is nothing with %s in its place", (_, make) => {
    const path = join(makeFolder(), "transcript.jsonl");
    make(path);
    expect(readLastMessage(path, BEGAN)).toBeNull();
    expect(readServiceError(path, BEGAN)).toBeUndefined();
  });
});

describe("the service error that ended a session", () => {
  const failed = says(text("API Error: 529"), { isApiErrorMessage: true });
  it.each<[what: string, content: string, expected: string | undefined]>([
    ["the last words", jsonl(says(text("x")), failed), "API Error: 529"],
    ["records of other kinds behind it", jsonl(failed, { type: "summary" }), "API Error: 529"],
    ["an error that the session outlived", jsonl(failed, says(text("on"))), undefined],
    ["no error", jsonl(says(text("x"))), undefined],
    ["a sub-agent's error", jsonl(says(text("x")), { ...failed, isSidechain: true }), undefined],
  ])("with %s", (_, content, expected) => {
    expect(readServiceError(makeTranscript(content), BEGAN)).toBe(expected);
  });
});
