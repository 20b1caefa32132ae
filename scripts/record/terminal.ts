import { execFileSync } from "node:child_process";
import { setTimeout as sleep } from "node:timers/promises";

/** A real terminal without a user: a pane of its own tmux server. */
export interface Terminal {
  type(text: string): Promise<void>;
  press(key: string): void;
  /** Waits until the screen shows it, and then until the screen has come to rest. */
  until(pattern: RegExp, timeoutMs?: number): Promise<void>;
  /** The screen and what has scrolled off it, with the escape sequences of colours. */
  capture(): string;
  /** Ends what runs in it and waits for its end: its last writes must not outlive its folder. */
  close(): Promise<void>;
}

interface Options {
  readonly columns: number;
  readonly rows: number;
  readonly cwd: string;
  readonly env: Readonly<Record<string, string | undefined>>;
}

const REST_MS = 700;
const TIMEOUT_MS = 90_000;
const CLOSE_MS = 10_000;

let count = 0;

export function openTerminal(command: readonly string[], options: Options): Terminal {
  const socket = `smart-ralph-record-${process.pid}-${++count}`;
  const tmux = (...args: string[]): string =>
    execFileSync("tmux", ["-L", socket, "-f", "/dev/null", ...args], { encoding: "utf8" });
  // Only what is listed: neither tmux nor what runs in it may see the developer's own environment.
  const env = Object.entries({ LANG: "C.UTF-8", COLORTERM: "truecolor", ...options.env })
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => `${name}=${value}`);
  const size = ["-x", String(options.columns), "-y", String(options.rows)];
  const program = ["env", "-i", ...env, "TERM=tmux-256color", ...command];
  tmux("new-session", "-d", ...size, "-c", options.cwd, "--", ...program);
  const pid = Number(tmux("display-message", "-p", "#{pane_pid}"));
  const capture = (): string => tmux("capture-pane", "-e", "-p", "-S", "-");
  const plain = (): string => tmux("capture-pane", "-p", "-S", "-");
  return {
    capture,
    async type(text) {
      tmux("send-keys", "-l", "--", text);
      // A client takes what comes too fast for something that was pasted.
      await sleep(REST_MS);
      tmux("send-keys", "Enter");
    },
    press: (key) => void tmux("send-keys", key),
    async until(pattern, timeoutMs = TIMEOUT_MS) {
      const end = Date.now() + timeoutMs;
      let before = "";
      for (;;) {
        const now = plain();
        if (now === before && pattern.test(now)) return;
        if (Date.now() > end) throw new Error(`${pattern} did not show up:\n${now}`);
        before = now;
        await sleep(REST_MS);
      }
    },
    async close() {
      tmux("kill-server");
      for (let waited = 0; isAlive(pid); waited += REST_MS) {
        if (waited > CLOSE_MS) process.kill(pid, "SIGKILL");
        await sleep(REST_MS);
      }
    },
  };
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}
