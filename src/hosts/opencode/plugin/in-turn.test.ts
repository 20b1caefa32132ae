import { describe, expect, it } from "vitest";
import { stage } from "../../../../test/support/opencode.ts";
import type { WireAnswer } from "../wire.ts";

describe("where the client ends with the turn", () => {
  const begin = async (answers: Record<string, WireAnswer>) => {
    const chat = stage({ prompt: { context: "do 1.1" }, ...answers }, { endsWithTurn: true });
    await chat.types("/ralph-specum:implement");
    return chat;
  };
  const complete = (chat: ReturnType<typeof stage>, messageID: string, sessionID = "s") =>
    chat["experimental.text.complete"]({ sessionID, messageID });
  const release = (chat: ReturnType<typeof stage>) =>
    chat["experimental.chat.messages.transform"]({}, { messages: chat.messages });

  it("a message that nobody sees becomes the next task", async () => {
    const chat = await begin({ stop: { reason: "do 1.2" } });
    await complete(chat, "a1");
    chat.says("a1", "TASK_COMPLETE");
    chat.messages.reverse();
    expect(chat.messages[1]?.parts[0]).toMatchObject({ synthetic: true, ignored: true });
    await release(chat);
    expect(chat.asked.at(-1)).toMatchObject(["stop", { message: "TASK_COMPLETE" }]);
    expect(chat.messages[1]?.parts[0]).toMatchObject({ text: "do 1.2", ignored: false });
    expect(chat.sent.map(({ how }) => how)).toEqual(["prompt", "patch"]);
  });

  it("the task is shown again if the client did not keep it", async () => {
    const chat = await begin({ stop: { reason: "do 1.2" } });
    await complete(chat, "a1");
    chat.says("a1", "TASK_COMPLETE");
    await release(chat);
    const [part] = chat.messages[0]?.parts ?? [];
    Object.assign(part as object, { text: "…", ignored: true });
    await release(chat);
    expect(part).toMatchObject({ text: "do 1.2", ignored: false });
    expect(chat.asked.filter(([event]) => event === "stop")).toHaveLength(1);
  });

  it("the turn ends without another call of the model", async () => {
    const chat = await begin({ stop: { say: "all done" } });
    await complete(chat, "a1");
    chat.says("a1", "Done.");
    await release(chat);
    expect(chat.sent.slice(1)).toEqual([{ how: "print", body: "all done" }, { how: "abort" }]);
    await complete(chat, "a2");
    expect(chat.sent).toHaveLength(3);
  });

  it("a turn that we ended was not interrupted by the user", async () => {
    const chat = await begin({});
    chat.says("a1", "Done.");
    await complete(chat, "a1");
    await release(chat);
    expect(chat.sent.at(-1)).toEqual({ how: "abort" });
    chat.says("a2", "", undefined, { name: "MessageAbortedError" });
    expect((await chat.types("hello"))[0]?.text).toBe("hello");
  });

  it("a step that uses tools is not the end", async () => {
    const chat = await begin({ stop: { reason: "do 1.2" } });
    await complete(chat, "a1");
    chat.says("a1", "I will look.", "tool-calls");
    await release(chat);
    expect(chat.asked.map(([event]) => event)).toEqual(["prompt"]);
  });

  it("other sessions, and sub-agents, are left alone", async () => {
    const chat = await begin({});
    await complete(chat, "b1", "other");
    await complete(chat, "c1", "s.1");
    expect(chat.sent).toEqual([]);
    chat.says("b1", "Hi.");
    await chat.idle("other");
    expect(chat.asked).toHaveLength(1);
  });

  it("Escape ends what was being decided", async () => {
    const chat = await begin({});
    await chat.idle();
    expect(chat.ended).toEqual(["s"]);
  });
});
