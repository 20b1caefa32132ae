import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { Terminal } from "@xterm/headless";
import { onTestFinished } from "vitest";
import { clientEnv } from "./client.ts";
import { CURRENT, installClient } from "./install.ts";
import type { Model } from "./model.ts";
import { type Place, pluginDir } from "./place.ts";

/**
 * The real client in a terminal, with a user at it:
 *
 *     const screen = await openScreen(project, model);
 *     await screen.type(project.slash("implement"));
 *     await screen.until(/1 of 3/);
 *     screen.press("escape");
 *     expect(screen.lines()).toContain("…");
 *
 * Where the terminal's native module has no build for this machine, `noScreen` says so: `test.skipIf(noScreen)`.
 */
export interface Screen {
  /** Text, and Enter after it. */
  type(text: string): Promise<void>;
  press(key: keyof typeof KEYS): void;
  /** Waits until the screen shows it for a moment; returns the lines. */
  until(pattern: RegExp, timeoutMs?: number): Promise<readonly string[]>;
  /** What is on the screen, without colors and without empty lines at the end. What scrolls off is lost: see `rows`. */
  lines(): readonly string[];
  /** Ends the client, and waits for its end. */
  close(): Promise<void>;
}

interface ScreenOptions {
  readonly version?: string;
  readonly columns?: number;
  readonly rows?: number;
  /** `ask`, the default, is how the client starts: it asks before it edits or runs anything. */
  readonly permissions?: "skip" | "acceptEdits" | "ask";
  readonly plugins?: readonly string[];
  readonly args?: readonly string[];
}

const KEYS = {
  enter: "\r",
  escape: "\u001B",
  down: "\u001B[B",
  up: "\u001B[A",
  tab: "\t",
} as const;

/** A client takes what comes too fast for something that was pasted, and a spinner turns about ten times a second. */
const REST_MS = 400;
const TIMEOUT_MS = 60_000;
const PERMISSIONS = {
  ask: [],
  acceptEdits: ["--permission-mode", "acceptEdits"],
  skip: ["--dangerously-skip-permissions"],
};

const pty = await import("@lydell/node-pty").catch(() => undefined);
export const noScreen = pty === undefined;

export async function openScreen(
  place: Place,
  model: Model,
  options: ScreenOptions = {},
): Promise<Screen> {
  if (pty === undefined) throw new Error("no terminal for this machine: check `noScreen` first");
  const { version = CURRENT, columns = 100, rows = 120, permissions = "ask" } = options;
  const binary = await installClient(version);
  writeFirstStart(place, version);
  const plugins = options.plugins ?? [pluginDir(place.layout)];
  const args = [
    ...plugins.flatMap((folder) => ["--plugin-dir", folder]),
    ...PERMISSIONS[permissions],
    ...(options.args ?? []),
  ];
  const emulator = new Terminal({
    cols: columns,
    rows,
    scrollback: 10_000,
    allowProposedApi: true,
  });
  const program = pty.spawn(binary, args, {
    cols: columns,
    rows,
    cwd: place.root,
    env: { ...clientEnv({ model, home: place.home }), TERM: "xterm-256color", LANG: "C.UTF-8" },
  });
  program.onData((data) => emulator.write(data));
  // The client asks the terminal about itself, and waits for the answers.
  emulator.onData((data) => program.write(data));
  const ended = new Promise<void>((resolve) => program.onExit(() => resolve()));
  let isOpen = true;
  void ended.then(() => (isOpen = false));

  const lines = (): readonly string[] => readLines(emulator);
  const until: Screen["until"] = async (pattern, timeoutMs = TIMEOUT_MS) => {
    const end = Date.now() + timeoutMs;
    for (let times = 0; ; await sleep(REST_MS)) {
      const now = lines();
      const text = now.join("\n");
      times = pattern.test(text) ? times + 1 : 0;
      // It may be half drawn the first time.
      if (times === 3) return now;
      if (Date.now() > end || !isOpen) throw new Error(`${pattern} did not show up:\n${text}`);
    }
  };
  const screen: Screen = {
    until,
    lines,
    async type(text) {
      program.write(text);
      await sleep(REST_MS);
      program.write(KEYS.enter);
    },
    press: (key) => program.write(KEYS[key]),
    async close() {
      if (isOpen) program.kill("SIGKILL");
      await ended;
    },
  };
  onTestFinished(() => screen.close());
  await until(/^❯/m);
  return screen;
}

/** As after the client's first start: what it asks then has been answered. */
function writeFirstStart({ home, root }: Place, version: string): void {
  writeFileSync(
    join(home, ".claude.json"),
    JSON.stringify({
      hasCompletedOnboarding: true,
      lastOnboardingVersion: version,
      theme: "dark",
      bypassPermissionsModeAccepted: true,
      customApiKeyResponses: { approved: ["made-up"], rejected: [] },
      projects: { [root]: { hasTrustDialogAccepted: true } },
    }),
  );
}

function readLines({ buffer: { active } }: Terminal): readonly string[] {
  const all = Array.from(
    { length: active.length },
    (_, row) => active.getLine(row)?.translateToString(true) ?? "",
  );
  return all.slice(0, all.findLastIndex((line) => line !== "") + 1);
}
