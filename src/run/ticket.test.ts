import { describe, expect, it } from "vitest";
import { parseSlash, parseTicket } from "./ticket.ts";

describe("a prompt is ours", () => {
  it.each([
    ["/ralph-specum:start", { command: "start", args: "" }],
    ["  /ralph-specum:start  add a limit \n", { command: "start", args: "add a limit" }],
    ["/ralph-specum:start\nadd\n'a limit'", { command: "start", args: "add\n'a limit'" }],
    ["/ralph-specum:resume $(x) `y`", { command: "resume", args: "$(x) `y`" }],
  ])("%j", (prompt, said) => expect(parseSlash("ralph-specum", prompt)).toEqual(said));

  it.each([
    "",
    "hello",
    "say /ralph-specum:resume",
    "/ralph-specum:",
    "/ralph-specum: resume",
    "/ralph-specum:resume.sh",
    "/ralph-speckit:resume",
    "<task-notification>/ralph-specum:resume",
  ])("not %j", (prompt) => expect(parseSlash("ralph-specum", prompt)).toBeUndefined());
});

describe("a ticket", () => {
  const ticket = {
    command: "start",
    args: "x",
    prompt: "p1",
    from: "prompt",
    at: "2026-01-01T00:00:00Z",
  };

  it("is read as it was written, ignoring other fields", () => {
    expect(parseTicket(JSON.stringify({ ...ticket, more: 1 }))).toEqual(ticket);
  });

  it.each(["", "[]", "{}", JSON.stringify({ ...ticket, args: 1 })])("is not %j", (text) =>
    expect(parseTicket(text)).toBeUndefined(),
  );
});
