import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { hear, type Heard, isSignOfLife, NOTHING_HEARD } from "./updates.ts";

const update = (fields: object): Readonly<Record<string, unknown>> => ({
  jsonrpc: "2.0",
  method: "session/update",
  params: { sessionId: "s1", update: fields },
});

const progress = (totalBytes: number, elapsedMs: number): ReturnType<typeof update> =>
  update({
    sessionUpdate: "tool_call_update",
    toolCallId: "t1",
    status: "in_progress",
    _meta: { shellProgress: { elapsedMs, lastOutputAgeMs: elapsedMs, totalBytes } },
  });

describe("a sign of life", () => {
  const after = (...messages: ReturnType<typeof update>[]): Heard =>
    messages.reduce((heard: Heard, message) => hear(heard, message).state, NOTHING_HEARD);

  it.each([
    ["a piece of a message", update({ sessionUpdate: "agent_message_chunk" }), true],
    ["an unknown update", update({ sessionUpdate: "not_invented_yet" }), true],
    ["a tool that prints", progress(2, 40_000), true],
    ["a tool that only reports the elapsed time", progress(1, 40_000), false],
    ["a list of commands", update({ sessionUpdate: "available_commands_update" }), false],
    ["details of the session", update({ sessionUpdate: "session_info_update" }), false],
    ["a heartbeat", { jsonrpc: "2.0", method: "_x/heartbeat" }, false],
    ["a question", { jsonrpc: "2.0", method: "session/request_permission", id: 1 }, true],
    ["an answer", { jsonrpc: "2.0", id: 1, result: {} }, true],
  ])("%s", (_, message, expected) => {
    expect(isSignOfLife(after(progress(1, 20_000)), message)).toBe(expected);
  });
});

describe("what is reported", () => {
  const told = (fields: object): readonly object[] => hear(NOTHING_HEARD, update(fields)).events;
  const edit = {
    sessionUpdate: "tool_call",
    toolCallId: "t1",
    status: "in_progress",
    kind: "edit",
  };

  it("names the file of a tool whose title does not", () => {
    const locations = [{ path: "/project/src/a.ts" }];
    expect(told({ ...edit, title: "write", locations })).toEqual([
      { kind: "tool", title: "write a.ts" },
      { kind: "edited", files: ["/project/src/a.ts"] },
    ]);
    expect(told({ ...edit, title: "Writing to a.ts", locations })).toEqual([
      { kind: "tool", title: "Writing to a.ts" },
      { kind: "edited", files: ["/project/src/a.ts"] },
    ]);
  });

  it("names what is edited, and not what is only read or run", () => {
    const locations = [{ path: "a.ts" }];
    const content = [{ type: "diff", path: "b.ts", newText: "" }, { type: "content" }];
    const later = { sessionUpdate: "tool_call_update", toolCallId: "t1", status: "completed" };
    expect(told({ ...later, content })).toEqual([{ kind: "edited", files: ["b.ts"] }]);
    for (const kind of ["read", "execute", "search"])
      expect(told({ ...edit, kind, title: "a.ts", locations })).toEqual([
        { kind: "tool", title: "a.ts" },
      ]);
  });

  it("is safe for a terminal", () => {
    expect(told({ ...edit, title: "\u001b[2Jrm\n-r" })).toEqual([
      { kind: "tool", title: "[2Jrm -r" },
    ]);
  });

  it("survives any update", () => {
    const kind = fc.constantFrom(
      "agent_message_chunk",
      "tool_call",
      "tool_call_update",
      "usage_update",
      "notice",
      "session_info_update",
      "x",
    );
    const names = fc.constantFrom(
      "content",
      "title",
      "locations",
      "_meta",
      "cost",
      "status",
      "toolCallId",
      "severity",
    );
    fc.assert(
      fc.property(kind, fc.dictionary(names, fc.jsonValue()), (sessionUpdate, fields) => {
        const message = update({ sessionUpdate, ...fields });
        const { state: heard } = hear(NOTHING_HEARD, message);
        isSignOfLife(heard, message);
        hear(heard, message);
      }),
    );
  });
});
