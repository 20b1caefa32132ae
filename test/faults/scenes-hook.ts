import { rmSync, utimesSync } from "node:fs";
import { done, ok, type Scene, start } from "./scene.ts";
import type { Stage } from "./stage.ts";

const SETTINGS = ".claude/ralph-specum.local.md";

const tick = (stage: Stage): void => stage.write("tasks.md", stage.tasks.replaceAll("[ ]", "[x]"));

const stopWith =
  (fields: object = {}): Scene["act"] =>
  (stage, around) =>
    stage.hook("stop", fields, around);

/** A call of the tool that starts a sub-agent. */
const CALL = {
  tool_use_id: "call",
  tool_input: { subagent_type: "ralph-specum:spec-executor", prompt: "1.1" },
};

async function sendOut(stage: Stage): Promise<void> {
  await start(stage);
  await stage.hook("delegate", CALL);
}

const giveBack: Scene["act"] = (stage, around) =>
  stage.hook("return", { ...CALL, tool_response: { status: "completed" } }, around);

/** A lock whose holder is long gone. */
function leaveLock(stage: Stage): void {
  stage.write(".ralph-lock", "4999999\n");
  const old = Date.now() / 1000 - 60;
  utimesSync(stage.path(".ralph-lock"), old, old);
}

/** Every answer of the hook that writes. */
export const hookScenes: readonly Scene[] = [
  { name: "stop: continue", prepare: start, act: stopWith() },
  {
    name: "stop: sent-back",
    prepare: start,
    act: stopWith({ last_assistant_message: "All of it.\n\nALL_TASKS_COMPLETE" }),
  },
  {
    name: "stop: finished",
    async prepare(stage) {
      await start(stage);
      tick(stage);
      stage.write(".progress-task-9.md", "notes of another run");
      utimesSync(stage.path(".progress-task-9.md"), 1, 1);
    },
    act: stopWith(),
  },
  {
    name: "stop: corrupt",
    async prepare(stage) {
      await start(stage);
      stage.write(".ralph-state.json", '{"phase":');
    },
    act: stopWith(),
    next: ["advice", "none"],
  },
  {
    name: "stop: limit",
    prepare: (stage) => start(stage, "--max-global-iterations", "1"),
    act: stopWith(),
    next: ["advice", "none"],
  },
  {
    name: "stop: stalled",
    files: { [SETTINGS]: "---\nstall_limit: 1\n---\n" },
    async prepare(stage) {
      await start(stage);
      await stage.hook("stop");
    },
    act: stopWith(),
    next: ["none"],
  },
  {
    name: "stop: exhausted",
    async prepare(stage) {
      await start(stage, "--max-task-iterations", "1");
      await ok(stage.command(["fail", "1.1", "--reason", "it broke"]));
    },
    act: stopWith(),
    next: ["none"],
  },
  {
    name: "stop: phase",
    files: { "specs/demo/.ralph-state.json": '{"phase":"research"}\n' },
    prepare: (stage) => ok(stage.slash(["start", "demo", "--quick"])),
    act: stopWith(),
    next: ["advice"],
  },
  {
    name: "stop: lost",
    async prepare(stage) {
      await start(stage);
      rmSync(stage.path(".ralph-state.json"));
    },
    act: stopWith(),
    next: ["none"],
  },
  {
    name: "stop: dead lock",
    async prepare(stage) {
      await start(stage);
      leaveLock(stage);
    },
    act: stopWith(),
  },
  {
    name: "delegate: an agent is started",
    prepare: start,
    act: (stage, around) => stage.hook("delegate", CALL, around),
    passesStrangers: true,
  },
  {
    name: "delegate: a second agent is denied",
    async prepare(stage) {
      await start(stage);
      await stage.hook("delegate", { ...CALL, tool_use_id: "before" });
    },
    act: (stage, around) => stage.hook("delegate", CALL, around),
    passesStrangers: true,
  },
  {
    name: "return: the next tasks",
    stopTells: true,
    async prepare(stage) {
      await sendOut(stage);
      await ok(done(stage, "1.1"));
    },
    act: giveBack,
  },
  { name: "return: not heard", stopTells: true, prepare: sendOut, act: giveBack },
  {
    name: "return: finished",
    stopTells: true,
    async prepare(stage) {
      tick(stage);
      stage.write("tasks.md", stage.tasks.replace("[x] 1.1", "[ ] 1.1"));
      await sendOut(stage);
      await ok(done(stage, "1.1"));
    },
    act: giveBack,
  },
  {
    name: "prompt: a command is typed",
    act: (stage, around) =>
      stage.hook("prompt", { prompt: "/ralph-specum:implement demo" }, around),
  },
  {
    name: "stop-failure",
    prepare: start,
    act: (stage, around) => stage.hook("stop-failure", { error: "overloaded" }, around),
  },
  {
    name: "session-end",
    prepare: start,
    act: (stage, around) => stage.hook("session-end", { reason: "other" }, around),
  },
];
