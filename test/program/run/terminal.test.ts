import { mkdirSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { Terminal } from "@xterm/headless";
import { describe, expect, it, onTestFinished } from "vitest";
import type { DemoStep } from "../../../src/agents/demo/script.ts";
import { processesIn } from "../../support/processes.ts";
import { makeNight, type Night, PROGRAM } from "./night.ts";
import { fileOf, scene } from "./scenes.ts";

/** Where it is not installed for this system, there is no terminal to test with. */
const pty = await import("@lydell/node-pty").catch(() => undefined);

/** Also in raw mode, where a carriage return is only a character. */
const ENTER = "\n";

/** A shell in a terminal, in which a command of ours is typed. */
function openTerminal(night: Night, typed: string) {
  const screen = new Terminal({ cols: 100, rows: 30, allowProposedApi: true });
  let printed = "";
  const env = { ...night.env, TERM: "xterm-256color", PS1: "$ " } as Record<string, string>;
  const shell = pty!.spawn("sh", ["-i"], { cols: 100, rows: 30, cwd: night.root, env });
  onTestFinished(() => shell.kill("SIGKILL"));
  shell.onData((data) => {
    printed += data;
    screen.write(data);
  });
  const shows = async (text: string | RegExp): Promise<void> => {
    for (let look = 0; look < 500; look++) {
      if (typeof text === "string" ? printed.includes(text) : text.test(printed)) return;
      await delay(20);
    }
    throw new Error(`there is no ${String(text)} in ${printed}`);
  };
  shell.write(`'${process.execPath}' '${PROGRAM}' ${typed}${ENTER}`);
  // The emulator takes in what is written to it a moment later.
  const buffer = async (): Promise<string> => {
    await new Promise<void>((done) => screen.write("", done));
    return screen.buffer.active.type;
  };
  return { shell, buffer, shows, printed: () => printed };
}

/** The same with a run; by default its agent never ends. */
async function openShell(steps: DemoStep[] = [{ hang: true }], settings = "") {
  const night = makeNight({ settings, rows: [{ id: "1.1" }], scenes: [scene("1.1", steps)] });
  const terminal = openTerminal(night, "run demo --agent demo");
  await night.until((event) => event.kind === "attempt-started");
  await terminal.shows("\u001b[?1049h");
  expect(await terminal.buffer()).toBe("alternate");
  return { night, ...terminal };
}

const runnerOf = (night: Night): number =>
  processesIn(night.home).find(({ command }) => command.includes(" run demo"))?.pid ?? 0;

describe.runIf(pty !== undefined && process.platform === "linux")("a run in a terminal", () => {
  it("of the demo leaves nothing when its runner is killed with -9, and says that its project is gone", async () => {
    const night = makeNight({ rows: [{ id: "1.1" }] });
    const tmp = join(night.home, "tmp");
    mkdirSync(tmp);
    const { SMART_RALPH_DEMO_SCENES: _, ...env } = night.env;
    const { shows } = openTerminal({ ...night, env: { ...env, TMPDIR: tmp } }, "run --agent demo");
    await shows("▶");
    const runner = processesIn(night.home).find(({ command }) =>
      command.endsWith(" run --agent demo"),
    );
    process.kill(runner?.pid ?? 0, "SIGKILL");
    await shows(/died at .*; its project is gone; smart-ralph run --agent demo starts again\./);
    for (let look = 0; look < 200 && readdirSync(tmp).length > 0; look++) await delay(50);
    expect(readdirSync(tmp)).toEqual([]);
  });

  it("gives the terminal back when its runner is killed with -9, and says how to go on", async () => {
    const { night, shell, buffer, shows } = await openShell();
    process.kill(runnerOf(night), "SIGKILL");
    await shows(/The runner died at \d\d:\d\d; smart-ralph run demo --agent demo continues\./);
    expect(await buffer()).toBe("normal");
    // This shell restores nothing itself, and is in raw mode until the guard has ended that.
    const asking = setInterval(() => shell.write(`stty -a${ENTER}`), 300);
    onTestFinished(() => clearInterval(asking));
    await shows(/\sisig icanon iexten echo\s/);
  });

  it("gives the terminal of a live watch back too, while the run goes on", async () => {
    const night = makeNight({ rows: [{ id: "1.1" }], scenes: [scene("1.1", [{ hang: true }])] });
    const child = night.start();
    const ended = night.wait(child);
    await night.until((event) => event.kind === "attempt-started");
    const { shell, shows, buffer } = openTerminal(night, "watch");
    await shows("\u001b[?1049h");
    await shows("1.1");
    const view = processesIn(night.home).find(({ command }) => command.endsWith(" watch"));
    process.kill(view?.pid ?? 0, "SIGKILL");
    await shows("The view was killed; smart-ralph watch shows it again.");
    expect(await buffer()).toBe("normal");
    const asking = setInterval(() => shell.write(`stty -a${ENTER}`), 300);
    onTestFinished(() => clearInterval(asking));
    await shows(/\sisig icanon iexten echo\s/);
    expect(child.exitCode).toBeNull();
    child.kill("SIGINT");
    expect(await ended).toMatchObject({ code: 130 });
  });

  it("waits for an answer, as status says, and ends when its only task is left", async () => {
    const lie = [{ report: "TASK_COMPLETE" }];
    const { night, buffer, shows } = await openShell(lie, "default_max_iterations: 1");
    await night.until((event) => event.kind === "question");
    expect(night.cli("status").out).toContain("waiting for your answer");
    expect(night.cli("answer", "1", "leave it").code).toBe(0);
    await shows("smart-ralph unskip 1.1");
    await shows("\u001b[?1049l");
    expect(await buffer()).toBe("normal");
  });

  it("is not said to have died when it is interrupted twice", async () => {
    const half = { write: fileOf("1.1"), text: "half" };
    const { night, buffer, shows, printed } = await openShell([half, { hang: true }]);
    const runner = runnerOf(night);
    // An agent that has just begun would end at the first word.
    await night.untilFile(join(night.tree(), fileOf("1.1")));
    await delay(300);
    process.kill(runner, "SIGINT");
    await delay(200);
    process.kill(runner, "SIGINT");
    await shows("\u001b[?1049l");
    expect(printed(), "it exits at once").not.toContain("Waits for you");
    await delay(600);
    expect(printed()).not.toContain("The runner died");
    expect(await buffer()).toBe("normal");
  });
});
