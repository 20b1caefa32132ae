import { describe, expect, it } from "vitest";
import { stage } from "../../../../test/support/opencode.ts";
import type { Part } from "./client.ts";

const AS = { agent: "build", model: { providerID: "x", modelID: "y" } };

describe("the end of a turn", () => {
  it("is answered with the next task, in the user's choice of agent and model", async () => {
    const chat = stage({ stop: { reason: "do 1.2", say: "1.1 is done" } });
    await chat.types("go");
    chat.says("a1", "TASK_COMPLETE");
    await chat.idle();
    expect(chat.asked.at(-1)).toEqual([
      "stop",
      { session: "s", cwd: "/project", message: "TASK_COMPLETE", continuing: false, agents: 0 },
    ]);
    const [line, task] = (chat.sent[0] as { body: { parts: Part[] } }).body.parts;
    expect(chat.sent).toMatchObject([{ how: "promptAsync", body: AS }]);
    expect(line).toMatchObject({ text: "1.1 is done", ignored: true });
    expect(task).toMatchObject({ text: "do 1.2", synthetic: true });
    chat.says("a2", "Hm.");
    await chat.idle();
    expect(chat.asked.at(-1)?.[1].continuing).toBe(true);
  });

  it("shows the user why it is the last", async () => {
    const chat = stage({ stop: { say: "all done" } });
    chat.says("a1", "Done.");
    await chat.idle();
    expect(chat.sent).toMatchObject([
      { how: "prompt", body: { noReply: true, parts: [{ text: "all done", ignored: true }] } },
    ]);
  });

  it("is decided once", async () => {
    const chat = stage();
    chat.says("a1", "Done.");
    await chat.idle();
    await chat.idle();
    expect(chat.asked).toHaveLength(1);
  });

  it.each([
    ["of a sub-agent", "s.1", undefined],
    ["that the user interrupted", "s", { name: "MessageAbortedError" }],
    ["that failed", "s", { name: "APIError" }],
  ])("%s is nothing to us", async (_, session, error) => {
    const chat = stage({ stop: { reason: "go on" } });
    chat.says("a1", "Hm.", "stop", error);
    await chat.idle(session);
    expect(chat.asked).toEqual([]);
    expect(chat.sent).toEqual([]);
  });

  it("is not one as long as the client has only said that the user interrupted it", async () => {
    const chat = stage({ stop: { reason: "go on" } });
    const error = { name: "MessageAbortedError" };
    await chat.event({ event: { type: "session.error", properties: { sessionID: "s", error } } });
    chat.says("a1", "Hm.");
    await chat.idle();
    expect(chat.asked).toEqual([]);
    await chat.types("hello");
    await chat.idle();
    expect(chat.asked.map(([event]) => event)).toEqual(["session-start", "prompt", "stop"]);
  });

  it("costs nothing where there is no run", async () => {
    const chat = stage({}, { mayHaveRun: () => false });
    chat.says("a1", "Hm.");
    await chat.idle();
    await chat.types("hello");
    expect(chat.asked).toEqual([]);
  });

  it("does not interrupt what the user has begun to say meanwhile", async () => {
    const ask = async (event: string) => {
      if (event !== "stop") return {};
      await chat.types("wait");
      return { reason: "do 1.2" };
    };
    const chat = stage({}, { hook: { ask, end: () => {} } });
    chat.says("a1", "Hm.");
    await chat.idle();
    expect(chat.sent).toEqual([]);
  });

  it("counts sub-agents that still work", async () => {
    const chat = stage();
    const status = (sessionID: string, type: string) =>
      chat.event({
        event: { type: "session.status", properties: { sessionID, status: { type } } },
      });
    for (const id of ["s", "s.1", "s.2", "other", "other.1"]) await status(id, "busy");
    await status("s.2", "idle");
    chat.says("a1", "Hm.");
    await chat.idle();
    expect(chat.asked[0]?.[1].agents).toBe(1);
  });
});

describe("what the user types", () => {
  const type = async (chat: ReturnType<typeof stage>, command: string, sessionID = "s") => {
    const parts: Part[] = [{ type: "text", text: "template" }, { type: "file" }];
    await chat["command.execute.before"]({ command, sessionID, arguments: "demo" }, { parts });
    return parts;
  };

  it("as a command of ours goes to our hook, and comes with what it says", async () => {
    const chat = stage({ prompt: { context: "do 1.1" } });
    const parts = await type(chat, "ralph-specum:implement");
    expect(chat.asked).toMatchObject([["prompt", { prompt: "/ralph-specum:implement demo" }]]);
    expect(parts).toMatchObject([
      { text: "/ralph-specum:implement demo", synthetic: false },
      { text: "do 1.1", synthetic: true },
      { type: "file" },
    ]);
    // The client reports the message, too.
    await chat["chat.message"]({ sessionID: "s" }, { message: { id: "m" }, parts });
    expect(chat.asked).toHaveLength(1);
  });

  it.each([
    ["other:implement", "s"],
    ["ralph-specum:implement", "s.1"],
  ])("%s in %s stays as it is", async (command, session) => {
    const chat = stage({ prompt: { context: "do 1.1" } });
    expect(await type(chat, command, session)).toMatchObject([{ text: "template" }, {}]);
  });

  it("as somebody else's command is that command, whatever its file says", async () => {
    const chat = stage({ prompt: { context: "do 1.1" } });
    await type(chat, "review");
    await chat.types("/ralph-specum:implement demo");
    expect(chat.asked.at(-1)).toMatchObject(["prompt", { prompt: "/review demo" }]);
    await chat.types("/ralph-specum:implement demo");
    expect(chat.asked.at(-1)).toMatchObject(["prompt", { prompt: "/ralph-specum:implement demo" }]);
    await type(chat, "review");
    await type(chat, "ralph-specum:status");
    await chat.types("hello");
    expect(chat.asked.at(-1)).toMatchObject(["prompt", { prompt: "hello" }]);
  });

  it("stays as it is if our hook does not answer", async () => {
    expect(await type(stage(), "ralph-specum:implement")).toMatchObject([{ text: "template" }, {}]);
  });

  it("during a run is completed, after its own words", async () => {
    const chat = stage({ prompt: { context: "the loop is on", say: "task 2 of 3" } });
    const parts = await chat.types("hello");
    expect(parts).toMatchObject([
      { id: "p1", text: "hello" },
      { id: "p10", text: "the loop is on", synthetic: true },
    ]);
    expect(chat.sent).toMatchObject([{ how: "toast" }]);
  });

  it("first, where a run was left, comes with what is known about it", async () => {
    const chat = stage({ "session-start": { context: "it was left", say: "left at 2 of 3" } });
    expect(await chat.types("hello")).toMatchObject([{}, { text: "it was left" }]);
    expect(await chat.types("hello")).toHaveLength(1);
    expect(chat.asked.map(([event]) => event)).toEqual(["session-start", "prompt", "prompt"]);
  });

  it.each([
    ["was interrupted", "", "stop", { name: "MessageAbortedError" }, true],
    ["was killed while a tool ran", "I will look.", "tool-calls", undefined, true],
    ["failed", "", "stop", { name: "APIError" }, false],
    ["was over", "Done.", "stop", undefined, false],
  ])("after a turn that %s", async (_, text, finish, error, isTold) => {
    const chat = stage({ prompt: { context: "paused" } });
    chat.says("a1", text, finish, error);
    const texts = (parts: Part[]) => parts.map((part) => part.text);
    const told = isTold ? ["[Request interrupted by user]"] : [];
    expect(texts(await chat.types("wait"))).toEqual([...told, "wait", "paused"]);
    expect(texts(await type(chat, "ralph-specum:pause"))).toEqual([
      ...told,
      "/ralph-specum:pause demo",
      "paused",
      undefined,
    ]);
  });

  it("to a sub-agent is not for us", async () => {
    const chat = stage({ prompt: { context: "x" } });
    expect(await chat.types("hello", "s.1")).toHaveLength(1);
    expect(chat.asked).toEqual([]);
  });
});

it("gives commands of an agent the user's session, and nobody else's terminal one", async () => {
  const chat = stage();
  const envOf = async (input: { sessionID?: string }) => {
    const env = {};
    await chat["shell.env"](input, { env });
    return env;
  };
  expect(await envOf({ sessionID: "s.1" })).toEqual({ OPENCODE_SESSION_ID: "s" });
  expect(await envOf({})).toEqual({});
});

it("reports a failed turn, but not Escape", async () => {
  const chat = stage();
  const fail = (error: { name: string; data?: { message: string } }) =>
    chat.event({ event: { type: "session.error", properties: { sessionID: "s", error } } });
  await fail({ name: "MessageAbortedError" });
  await fail({ name: "APIError", data: { message: "overloaded" } });
  expect(chat.asked).toMatchObject([["stop-failure", { error: "APIError: overloaded" }]]);
});

it("asks whether a question may be put", async () => {
  expect(await stage({ question: { deny: "decide yourself" } }).denies("s.1")).toBe(
    "decide yourself",
  );
});
