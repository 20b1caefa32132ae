import { spawn, type ChildProcess } from "node:child_process";
import { dirname } from "node:path";
import type { Said, Seat, Session, Table } from "./adapter.ts";

/** A client that is started again for each prompt, and told which session goes on. */
export interface Headless {
  /** The arguments for a prompt; `session` is undefined for the first. */
  readonly args: (prompt: string, session: string | undefined) => readonly string[];
  /** The session's name in what the client printed so far. */
  readonly sessionIn: (output: string) => string | undefined;
  readonly env: Readonly<Record<string, string>>;
  /** For a client that is a script: the program that runs it. */
  readonly by?: string;
}

const TIMEOUT_MS = 150_000;
/** What does not end when it is asked to is ended. */
const GRACE_MS = 1500;

/**
 * The environment of a client but for what it needs of its own. Nothing of the developer's is passed on: it would bring
 * their account, their settings and a way to the network into the test.
 */
export const baseEnv = ({ place, node }: Seat): Record<string, string> => ({
  PATH: `${dirname(node)}:${process.env["PATH"] ?? ""}`,
  HOME: place.home,
  // Otherwise each test leaves its files and sockets in the machine's own temporary folder.
  TMPDIR: place.home,
  TERM: "dumb",
  LANG: "C.UTF-8",
  NO_COLOR: "1",
});

export function headlessSession(table: Table, client: Headless): Session {
  let running: ChildProcess | undefined;
  let session: string | undefined;

  function signal(name: NodeJS.Signals): void {
    try {
      // A process group of its own: also what the client started.
      if (running?.pid !== undefined) process.kill(-running.pid, name);
    } catch {
      // It has already ended.
    }
  }

  return {
    async say(prompt) {
      const [file, ...before] =
        client.by === undefined ? [table.client] : [client.by, table.client];
      const child = spawn(file as string, [...before, ...client.args(prompt, session)], {
        cwd: table.place.root,
        env: { ...baseEnv(table), ...client.env },
        detached: true,
        stdio: ["ignore", "pipe", "pipe"],
      });
      running = child;
      const said = await heard(child, () => signal("SIGKILL"));
      running = undefined;
      session ??= client.sessionIn(said.output);
      return said;
    },
    interrupt() {
      signal("SIGINT");
      const killed = running;
      setTimeout(() => {
        if (running === killed) signal("SIGKILL");
      }, GRACE_MS).unref();
    },
    async close() {
      signal("SIGKILL");
    },
  };
}

function heard(child: ChildProcess, kill: () => void): Promise<Said> {
  let output = "";
  let timedOut = false;
  const hear = (chunk: Buffer): void => void (output += chunk.toString());
  child.stdout?.on("data", hear);
  child.stderr?.on("data", hear);
  const timer = setTimeout(() => {
    timedOut = true;
    kill();
  }, TIMEOUT_MS);
  return new Promise((resolve, reject) => {
    child.on("error", reject);
    // Not `close`: what a killed client has left running may keep its outputs open.
    child.on("exit", () => {
      clearTimeout(timer);
      setTimeout(() => resolve({ output, timedOut }), 50);
    });
  });
}
