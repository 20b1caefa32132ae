import { describe, expect, it } from "vitest";
import { renderTranscript } from "./render.ts";

const render = (...lines: readonly (object | string)[]): string[] =>
  renderTranscript(lines.map((line) => (typeof line === "string" ? line : JSON.stringify(line))));

describe("a transcript as people read it", () => {
  it("of Claude Code", () => {
    expect(
      render(
        { type: "system", subtype: "init", session_id: "s" },
        {
          type: "assistant",
          message: { content: [{ type: "text", text: "I will look.\n\nFirst." }] },
        },
        {
          type: "assistant",
          message: {
            content: [
              {
                type: "tool_use",
                name: "Bash",
                input: { command: "npm test", description: "run" },
              },
            ],
          },
        },
        {
          type: "user",
          message: {
            content: [{ type: "tool_result", content: "1\n2\n3\n4\n5\n6", is_error: false }],
          },
        },
        {
          type: "assistant",
          message: {
            content: [{ type: "tool_use", name: "Read", input: { file_path: "src/a.ts" } }],
          },
        },
        {
          type: "user",
          message: {
            content: [
              {
                type: "tool_result",
                content: [{ type: "text", text: "no such file" }],
                is_error: true,
              },
            ],
          },
        },
        { type: "result", subtype: "success", is_error: false, result: "First." },
        { type: "result", subtype: "error_during_execution", is_error: true },
      ),
    ).toEqual([
      "I will look.",
      "First.",
      "→ Bash npm test",
      "    1",
      "    2",
      "    3",
      "    4",
      "    … 2 more lines",
      "→ Read src/a.ts",
      "✗ no such file",
      "✗ error_during_execution",
    ]);
  });

  it("of Codex", () => {
    expect(
      render(
        { type: "thread.started", thread_id: "t" },
        {
          type: "item.started",
          item: { id: "1", type: "command_execution", command: "bash -lc 'npm test'" },
        },
        {
          type: "item.completed",
          item: {
            id: "1",
            type: "command_execution",
            command: "bash -lc 'npm test'",
            aggregated_output: "fails\n",
            exit_code: 1,
          },
        },
        {
          type: "item.completed",
          item: { id: "2", type: "file_change", changes: [{ path: "a.ts", kind: "update" }] },
        },
        { type: "item.completed", item: { id: "3", type: "agent_message", text: "TASK_COMPLETE" } },
        { type: "turn.failed", error: { message: "usage limit" } },
      ),
    ).toEqual([
      "→ npm test",
      "    fails",
      "✗ exit 1",
      "→ edit a.ts",
      "TASK_COMPLETE",
      "✗ usage limit",
    ]);
  });

  it("of Copilot", () => {
    expect(
      render(
        { type: "assistant.message", data: { content: "Hello" } },
        { type: "tool.execution_start", data: { toolName: "bash", arguments: { command: "ls" } } },
        { type: "tool.execution_complete", data: { success: true, result: { content: "a.ts" } } },
        { type: "session.error", data: { errorType: "rate_limit", message: "Sorry" } },
      ),
    ).toEqual(["Hello", "→ bash ls", "    a.ts", "✗ Sorry"]);
  });

  it("of an agent that speaks the Agent Client Protocol, with chunks put together", () => {
    const update = (value: object) => ({
      jsonrpc: "2.0",
      method: "session/update",
      params: { sessionId: "s", update: value },
    });
    const chunk = (text: string) =>
      update({ sessionUpdate: "agent_message_chunk", content: { type: "text", text } });
    expect(
      render(
        { jsonrpc: "2.0", id: 1, result: { protocolVersion: 1 } },
        chunk("I will "),
        chunk("look.\nNow"),
        update({ sessionUpdate: "tool_call", toolCallId: "1", title: "Edit a.ts", kind: "edit" }),
        update({
          sessionUpdate: "tool_call_update",
          toolCallId: "1",
          status: "completed",
          content: [{ type: "content", content: { type: "text", text: "ok" } }],
        }),
        chunk("done"),
        { jsonrpc: "2.0", id: 2, error: { code: -32603, message: "Internal error" } },
      ),
    ).toEqual(["I will look.", "Now", "→ Edit a.ts", "    ok", "done", "✗ Internal error"]);
  });

  it("of any other agent, line by line", () => {
    expect(
      render("plain words", { type: "progress", message: "half" }, { n: 1 }, "[1,2]", ""),
    ).toEqual(["· plain words", "· progress: half", "· n 1", "· [1,2]"]);
  });

  it("shows an error once, and little of what agents say about themselves", () => {
    const said = "You've hit your limit";
    expect(
      render(
        {
          type: "system",
          subtype: "api_retry",
          attempt: 1,
          error_status: 529,
          session_id: "s",
          uuid: "u",
        },
        { type: "rate_limit_event", rate_limit_info: { status: "rejected", resetsAt: 1794823166 } },
        { type: "assistant", message: { content: [{ type: "text", text: said }] } },
        { type: "result", subtype: "success", is_error: true, result: said },
        { type: "assistant.turn_start", data: { turnId: "0" } },
        { type: "session.info", data: { infoType: "model_retry", message: "Retrying..." } },
        { type: "result", timestamp: "t", sessionId: "s", exitCode: 1 },
      ),
    ).toEqual([
      "· system api_retry attempt 1, error_status 529",
      "· rate_limit_event status rejected, resetsAt 1794823166",
      `✗ ${said}`,
      "· session.info: Retrying...",
    ]);
  });

  it("is safe to show", () => {
    const evil = "\u001b[2Ja\u202eb\u0007";
    const shown = render(
      evil,
      {
        type: "assistant",
        message: {
          content: [
            { type: "text", text: evil },
            { type: "tool_use", name: evil, input: { command: evil } },
          ],
        },
      },
      { type: "user", message: { content: [{ type: "tool_result", content: evil }] } },
      { type: "assistant", message: null },
      { type: "item.completed", item: 7 },
    );
    for (const line of shown) expect(line).not.toMatch(/[\u0000-\u001f\u202e]/);
  });
});
