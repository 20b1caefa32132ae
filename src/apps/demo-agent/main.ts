import { spawn, spawnSync } from "node:child_process";
import {
  appendFileSync,
  mkdirSync,
  readFileSync,
  statSync,
  writeFileSync,
  writeSync,
} from "node:fs";
import { dirname } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import {
  type DemoLine,
  type DemoScene,
  type DemoStep,
  findSteps,
} from "../../agents/demo/script.ts";

/** The scripted agent's own process: reads a prompt, does what its script says for real, and prints what it does. */
async function main(): Promise<void> {
  const { prompt, scenes, model } = JSON.parse(readFileSync(0, "utf8")) as {
    readonly prompt: string;
    readonly scenes: readonly DemoScene[];
    readonly model?: string;
  };
  const steps = findSteps(scenes, prompt, model);
  if (steps === undefined)
    return end({ how: "turn", text: "I am a script and do not know this task.\nTASK_BLOCKED" });
  for (const step of steps) await play(step);
  end({ how: "turn", text: "" });
}

function tell(line: DemoLine): void {
  const bytes = Buffer.from(`${JSON.stringify(line)}\n`);
  // A pipe may not take everything at once.
  for (let from = 0; from < bytes.length;) from += writeSync(1, bytes, from);
}

/** The runner does not read longer lines as JSON. The end of a report is what counts. */
const MAX_TEXT = 1 << 20;

function end(line: Omit<Extract<DemoLine, { type: "end" }>, "type">): void {
  tell({ type: "end", ...line, text: line.text.slice(-MAX_TEXT) });
  process.exit(line.how === "turn" ? 0 : 1);
}

async function play(step: DemoStep): Promise<void> {
  if ("write" in step) {
    mkdirSync(dirname(step.write), { recursive: true });
    writeFileSync(step.write, step.text);
    return tell({ type: "tool", text: `writes ${step.write}`, file: step.write });
  }
  if ("append" in step) {
    appendFileSync(step.append, step.text);
    return tell({ type: "tool", text: `writes ${step.append}`, file: step.append });
  }
  if ("run" in step) {
    tell({ type: "tool", text: `runs ${step.run}` });
    spawnSync(step.run, { shell: true, stdio: "ignore" });
    return undefined;
  }
  if ("say" in step) return tell({ type: "text", text: step.say });
  if ("sleep" in step) return delay(step.sleep);
  if ("usage" in step) return tell({ type: "usage", ...step.usage });
  if ("report" in step) return end({ how: "turn", text: step.report });
  if ("limit" in step) {
    const resetsAt = new Date(Date.now() + step.limit * 1000).toISOString();
    return end({ how: "limit", text: "the limit is reached", resetsAt });
  }
  if ("end" in step) return end({ how: step.end, text: `the service said: ${step.end}` });
  if ("crash" in step) return process.exit(step.crash);
  if ("first" in step) {
    appendFileSync(step.count, ".");
    if (statSync(step.count).size > step.first) return undefined;
    for (const one of step.steps) await play(one);
    return undefined;
  }
  if ("leave" in step) {
    const command = ["-c", `exec sleep ${step.leave}`];
    spawn("/bin/sh", command, { detached: true, stdio: "ignore" }).unref();
    return undefined;
  }
  for (const name of ["SIGTERM", "SIGINT"] as const) process.on(name, () => undefined);
  return new Promise(() => setInterval(() => undefined, 1000));
}

void main();
