import { spawnSync } from "node:child_process";
import { copyFileSync, existsSync, mkdirSync, mkdtempSync, readFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { Terminal } from "@xterm/headless";
import { buildSync } from "esbuild";
import { beforeAll, describe, expect, it, onTestFinished } from "vitest";
import type { RunEvent } from "../../src/runner/events.ts";
import {
  appendEvent,
  createRun,
  openTranscript,
  type RunFolder,
} from "../../src/runner/run-files.ts";
import { HEAD, makeRunLog } from "../support/run-log.ts";

const pty = await import("@lydell/node-pty").catch(() => undefined);
const log = makeRunLog();
const RUN = "2026-11-16-0200-ab12";
let program = "";

beforeAll(() => {
  program = join(mkdtempSync(join(tmpdir(), "live-")), "live.cjs");
  buildSync({
    entryPoints: ["test/program/live-main.ts"],
    outfile: program,
    bundle: true,
    platform: "node",
    target: "node20",
    format: "cjs",
    loader: { ".md": "text" },
    define: { VERSION: '"0"', ISSUES: '""' },
    logLevel: "error",
  });
  // Without it, node ends at once, and gives the terminal the modes in which it found it.
  copyFileSync("bin/guard.cjs", join(dirname(program), "guard.cjs"));
});

interface Place {
  readonly run: RunFolder;
  readonly env: Record<string, string>;
  readonly cwd: string;
  readonly controls: () => string;
}

/** A run with these events. It is live, because it is a run of this process. */
function makePlace(events: readonly RunEvent[], isLive = true): Place {
  const cwd = mkdtempSync(join(tmpdir(), "place-"));
  const state = join(cwd, "state");
  const runs = join(state, "smart-ralph", "runs");
  mkdirSync(runs, { recursive: true });
  const run = createRun(runs, {
    run: RUN,
    project: cwd,
    specs: ["user-export"],
    tree: cwd,
    branch: null,
    session: "run-1",
    agents: ["claude"],
    began: new Date().toISOString(),
  });
  for (const event of isLive ? events.filter(({ kind }) => kind !== "run-ended") : events)
    appendEvent(run, event);
  const file = join(cwd, "controls");
  const env = {
    PATH: process.env["PATH"] ?? "",
    HOME: cwd,
    XDG_STATE_HOME: state,
    CONTROLS: file,
    LANG: "C.UTF-8",
    ...(process.env["TZ"] === undefined ? {} : { TZ: process.env["TZ"] }),
  };
  return { run, env, cwd, controls: () => (existsSync(file) ? readFileSync(file, "utf8") : "") };
}

interface Opened {
  readonly press: (keys: string) => void;
  readonly until: (pattern: RegExp) => Promise<string>;
  readonly text: () => string;
  readonly resize: (columns: number, rows: number) => void;
  readonly kill: (signal: string) => void;
  readonly ended: Promise<void>;
  /** Everything that was ever written. */
  readonly written: () => string;
  /** Whether the original screen is shown again. */
  readonly isRestored: () => boolean;
}

function open(
  { env, cwd }: Place,
  args: readonly string[],
  more: Record<string, string> = {},
): Opened {
  const emulator = new Terminal({ cols: 80, rows: 24, allowProposedApi: true });
  const child = pty!.spawn(process.execPath, [program, ...args], {
    cols: 80,
    rows: 24,
    cwd,
    env: { ...env, TERM: "xterm-256color", ...more },
  });
  let written = "";
  child.onData((data) => {
    written += data;
    emulator.write(data);
  });
  let isOpen = true;
  const ended = new Promise<void>((resolve) =>
    child.onExit(() => {
      isOpen = false;
      // The last output may still be on its way.
      emulator.write("", resolve);
    }),
  );
  onTestFinished(async () => {
    if (isOpen) child.kill("SIGKILL");
    await ended;
  });
  const text = (): string => {
    const { active } = emulator.buffer;
    const lines = Array.from(
      { length: active.length },
      (_, row) => active.getLine(row)?.translateToString(true) ?? "",
    );
    return lines.join("\n").trimEnd();
  };
  return {
    press: (keys) => child.write(keys),
    kill: (signal) => child.kill(signal),
    resize(columns, rows) {
      emulator.resize(columns, rows);
      child.resize(columns, rows);
    },
    async until(pattern) {
      for (let tries = 0; tries < 600; tries++, await sleep(50))
        if (pattern.test(text())) return text();
      throw new Error(`${pattern} did not show up:\n${text()}`);
    },
    text,
    ended,
    written: () => written,
    isRestored: () =>
      emulator.buffer.active.type === "normal" &&
      written.lastIndexOf("\u001b[?25h") > written.lastIndexOf("\u001b[?25l"),
  };
}

describe.skipIf(pty === undefined)("watch in a terminal", () => {
  it("follows a run, passes keys on, and does not stop the run when left", async () => {
    const place = makePlace(log.until("question").events);
    const screen = open(place, ["watch"]);
    await screen.until(/▶ 2\.1 .*codex/);
    screen.press("p");
    await screen.until(/Pausing once/);
    expect(place.controls()).toBe("pause\n");
    screen.press("aboth");
    await screen.until(/Answer 1: both/);
    screen.press("\r");
    await screen.until(/Question 1 is answered/);
    screen.press("s");
    await screen.until(/Skip 2\.1\?/);
    screen.press("y");
    await screen.until(/Skipping 2\.1/);
    expect(place.controls()).toBe("pause\nanswer user-export 1 both\nskip user-export 2.1\n");
    const at = new Date().toISOString();
    appendEvent(place.run, { ...HEAD, at, kind: "note", text: "something new" });
    await screen.until(/· something new/);
    screen.press("q");
    await screen.ended;
    expect(screen.isRestored()).toBe(true);
    expect(screen.text()).toMatch(/keeps running; smart-ralph watch shows it again/);
    expect(place.controls()).not.toMatch(/stop/);
  });

  it("shows the log of an attempt", async () => {
    const place = makePlace(log.until("parallel").events);
    const record = openTranscript(place.run, {
      spec: "user-export",
      task: "2.2",
      attempt: 1,
      agent: "codex",
    });
    record(
      JSON.stringify({
        type: "item.completed",
        item: { type: "agent_message", text: "I have a question" },
      }),
    );
    const screen = open(place, ["watch", "user-export"]);
    await screen.until(/▶ 2\.2/);
    screen.press("l");
    await screen.until(/2\.2, attempt 1, codex.*\n\nI have a question/);
    record(JSON.stringify({ type: "turn.failed", error: { message: "it broke" } }));
    await screen.until(/✗ it broke/);
    screen.press("\u001b[D");
    await screen.until(/2\.1, attempt 1, codex.*\n\nnothing yet/);
    screen.press("\u001b");
    await screen.until(/▶ 2\.2/);
  });

  it("fits the terminal again after a resize", async () => {
    const screen = open(makePlace(log.until("parallel").events), ["watch"]);
    await screen.until(/q leave/);
    screen.resize(50, 12);
    // The longer it has been running, the less else fits.
    const text = await screen.until(/^user-export {2}.{0,37}\n█[\s\S]*q leave$/);
    expect(text.split("\n")).toHaveLength(12);
  });

  it("ends with the report when the run does", async () => {
    const place = makePlace(log.events);
    const screen = open(place, ["watch"]);
    await screen.until(/q leave/);
    appendEvent(place.run, log.events.at(-1) as RunEvent);
    await screen.ended;
    expect(screen.isRestored()).toBe(true);
    expect(screen.text()).toMatch(/smart-ralph take user-export$/);
  });

  it.each(["SIGTERM", "SIGINT", "SIGHUP"])("gives the terminal back at %s", async (signal) => {
    const screen = open(makePlace(log.until("parallel").events), ["watch"]);
    await screen.until(/q leave/);
    screen.kill(signal);
    await screen.ended;
    expect(screen.isRestored()).toBe(true);
  });

  it("gives the terminal back when it crashes, and says why", async () => {
    const place = makePlace(log.until("parallel").events);
    const screen = open(place, ["watch"], { CRASH: "yes" });
    await screen.until(/q leave/);
    screen.press("p");
    await screen.ended;
    expect(screen.isRestored()).toBe(true);
    expect(screen.text()).toMatch(/made to crash/);
    expect(screen.written().indexOf("\u001b[?1049l")).toBeLessThan(
      screen.written().indexOf("made to crash"),
    );
  });
});

describe.skipIf(pty === undefined)("replay in a terminal", () => {
  it("shows the whole night, and stays until it is left", async () => {
    const screen = open(makePlace(log.events, false), ["replay", RUN, "--speed", "max"]);
    await screen.until(/budget used up 42 min/);
    screen.press("q");
    await screen.ended;
    expect(screen.isRestored()).toBe(true);
  });
});

describe.skipIf(pty === undefined)("run in a terminal", () => {
  it.each([
    ["q", "y"],
    ["\u0003", "\u0003"],
  ])("asks before %j stops it", async (first, second) => {
    const screen = open(makePlace(log.until("parallel").events), ["show"]);
    await screen.until(/q stop$/);
    screen.press(first);
    await screen.until(/Stop the run\?/);
    screen.press(second);
    await screen.ended;
    expect(screen.isRestored()).toBe(true);
    expect(screen.text()).toMatch(/stopped by a key$/);
  });

  it("stops at once on a signal", async () => {
    const screen = open(makePlace(log.until("parallel").events), ["show"]);
    await screen.until(/q stop$/);
    screen.kill("SIGTERM");
    await screen.ended;
    expect(screen.isRestored()).toBe(true);
    expect(screen.text()).toMatch(/stopped by a key$/);
  });
});

describe("in a pipe", () => {
  const run = (place: Place, ...args: readonly string[]) =>
    spawnSync(process.execPath, [program, ...args], {
      cwd: place.cwd,
      env: place.env,
      encoding: "utf8",
      timeout: 60_000,
    });

  it("replay prints lines, without colours", () => {
    const { stdout, status } = run(makePlace(log.events, false), "replay");
    expect(status).toBe(0);
    expect(stdout).not.toContain("\u001b");
    expect(stdout).toMatch(/^01:00:00 {2}run 2026-11-16-0200-ab12 with claude, codex/);
    expect(stdout.trimEnd().split("\n").at(-1)).toMatch(/budget used up: 7 of 12 tasks done/);
  });

  it("run prints its events as JSON, one a line, or lines for people", () => {
    const evil: RunEvent = { ...HEAD, at: "t", kind: "note", text: "\u001b[2J\u202e\u2028导出" };
    const place = makePlace([...log.events, evil], false);
    const { stdout } = run(place, "show", "--json");
    const lines = stdout.trimEnd().split("\n");
    expect(lines.map((line) => JSON.parse(line) as unknown)).toEqual([...log.events, evil]);
    expect(stdout).not.toMatch(/[\u001b\u202e\u2028]/);
    expect(run(place, "show").stdout).toMatch(/✓ 1\.1 proven: Verify failed before, passes now/);
  });

  it("watch prints the report of a run that has ended, also as JSON", () => {
    const place = makePlace(log.events, false);
    appendEvent(place.run, log.events.at(-1) as RunEvent);
    const text = run(place, "watch").stdout;
    expect(text).toMatch(/user-export {2}budget used up {2}2026-11-16-0200-ab12/);
    const json = JSON.parse(run(place, "watch", "--json").stdout) as {
      status: string;
      tasks: unknown[];
    };
    expect(json).toMatchObject({ ok: true, status: "budget", counts: { done: 7, total: 12 } });
    expect(json.tasks).toHaveLength(12);
  });

  it("refuses a wrong speed and an unknown run", () => {
    const place = makePlace(log.events, false);
    expect(run(place, "replay", "--speed", "0").stderr).toMatch(
      /--speed takes a number above 0 or "max"/,
    );
    expect(run(place, "replay", "nothing").stderr).toMatch(
      /there is no run "nothing"; the newest: 2026-11-16-0200-ab12/,
    );
  });
});
