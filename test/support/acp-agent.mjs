// A scripted agent that speaks ACP, well or badly: `node acp-agent.mjs '{"session/prompt":[{"answer":{…}}]}'`.
// A list of steps for each method; without one, a proper answer. `"deaf": true`: ignores a cancel, the end of its input
// and SIGTERM. `"replay": "file"`: repeats what a real agent said, up to its next answer at each request.
import { spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import { createInterface } from "node:readline";
import { setTimeout as delay } from "node:timers/promises";

const script = JSON.parse(process.argv[2] ?? "{}");
const DECENT = {
  initialize: [
    {
      answer: {
        protocolVersion: 1,
        agentInfo: { name: "fake", version: "1.2.3" },
        agentCapabilities: {},
      },
    },
  ],
  "session/new": [{ answer: { sessionId: "s1" } }],
  "session/set_mode": [{ answer: {} }],
  "session/set_model": [{ answer: {} }],
  "session/set_config_option": [{ answer: { configOptions: [] } }],
};
const waiting = new Map();
const asked = new Map();
let prompt;
let ids = 100;

const print = (text) => process.stdout.write(text);
const send = (message) => print(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`);
const update = (fields) =>
  send({ method: "session/update", params: { sessionId: "s1", update: fields } });
const say = (text) =>
  update({ sessionUpdate: "agent_message_chunk", content: { type: "text", text } });

async function play(request, steps) {
  for (const step of steps) {
    if ("answer" in step) send({ id: request.id, result: step.answer });
    if ("error" in step) send({ id: request.id, error: step.error });
    if ("update" in step) update(step.update);
    if ("say" in step) say(step.say);
    if ("print" in step) print(step.print);
    if ("long" in step) print(`${"x".repeat(step.long)}\n`);
    if ("note" in step) send({ method: step.note, params: {} });
    if ("complain" in step) process.stderr.write(step.complain);
    if ("recall" in step) say(JSON.stringify(asked.get(step.recall)));
    if ("wait" in step) await delay(step.wait);
    if ("child" in step) spawn("sleep", ["300"], { detached: true, stdio: "ignore" }).unref();
    if ("exit" in step) process.exit(step.exit);
    if ("die" in step) process.kill(process.pid, "SIGKILL");
    if ("ask" in step) {
      const id = ids++;
      send({ id, method: step.ask, params: { sessionId: "s1", ...step.with } });
      const answer = await new Promise((resolve) => waiting.set(id, resolve));
      say(JSON.stringify(answer.result ?? answer.error.code));
    }
    for (let round = 0; round < (step.rounds ?? 0); round++)
      update({
        sessionUpdate: "agent_message_chunk",
        messageId: `m${round}`,
        content: { type: "text", text: "Summary." },
      });
    if ("beat" in step)
      setInterval(() => {
        send({ method: "_fake/heartbeat", params: {} });
        if ("tool" in step)
          update({ ...step.tool, _meta: { progress: { elapsedMs: Date.now() } } });
      }, step.beat);
  }
}

const recorded = script.replay ? readFileSync(script.replay, "utf8").trim().split("\n") : undefined;

function replay({ id }) {
  for (let line = recorded.shift(); line !== undefined; line = recorded.shift()) {
    const { method, ...answer } = JSON.parse(line);
    print(`${method === undefined ? JSON.stringify({ ...answer, id }) : line}\n`);
    if (method === undefined) return;
  }
}

if (script.deaf) {
  process.on("SIGTERM", () => undefined);
  setInterval(() => undefined, 1000);
}
createInterface({ input: process.stdin })
  .on("line", (line) => {
    const message = JSON.parse(line);
    if (message.method === undefined) return waiting.get(message.id)?.(message);
    if (message.method === "session/cancel" && !script.deaf && prompt !== undefined)
      return send({ id: prompt.id, result: { stopReason: "cancelled" } });
    if (message.id === undefined) return;
    asked.set(message.method, message.params);
    if (message.method === "session/prompt") prompt = message;
    if (recorded !== undefined) return replay(message);
    void play(message, script[message.method] ?? DECENT[message.method] ?? []);
  })
  .on("close", () => {
    if (!script.deaf) process.exit(0);
  });
