import { spawn } from "node:child_process";
import { vi } from "vitest";
import type { Session, Table } from "./adapter.ts";
import { opencodeEnv } from "./opencode.ts";
import { baseEnv } from "./session.ts";

const START_MS = 60_000;

/**
 * OpenCode as its own terminal, its web page and editors use it: a server that goes on after a turn. What is said is
 * answered when the first turn is over; what our plugin makes of that comes later.
 */
export async function openServer(table: Table): Promise<Session & { abort(): Promise<void> }> {
  const { place, client, url } = table;
  const server = spawn(client, ["serve", "--hostname", "127.0.0.1", "--port", "0"], {
    cwd: place.root,
    env: { ...baseEnv(table), ...opencodeEnv(url) },
    detached: true,
    stdio: ["ignore", "pipe", "pipe"],
  });
  let printed = "";
  const hear = (chunk: Buffer): void => void (printed += chunk.toString());
  server.stdout.on("data", hear);
  server.stderr.on("data", hear);
  const address = await vi.waitFor(() => {
    const [, found] = /listening on (http\S+)/.exec(printed) ?? [];
    if (found === undefined) throw new Error(`no server: ${printed}`);
    return found;
  }, START_MS);

  async function post(path: string, body: object = {}): Promise<unknown> {
    const headers = { "content-type": "application/json" };
    const sent = { method: "POST", headers, body: JSON.stringify(body) };
    return (await fetch(`${address}${path}`, sent)).json();
  }
  const { id } = (await post("/session")) as { id: string };

  return {
    async say(prompt) {
      const [, command, args] = /^\/(\S+) ?(.*)$/s.exec(prompt) ?? [];
      const answer =
        command === undefined
          ? await post(`/session/${id}/message`, { parts: [{ type: "text", text: prompt }] })
          : await post(`/session/${id}/command`, { command, arguments: args });
      return { output: JSON.stringify(answer), timedOut: false };
    },
    interrupt: () => void post(`/session/${id}/abort`),
    abort: async () => void (await post(`/session/${id}/abort`)),
    async close() {
      try {
        if (server.pid !== undefined) process.kill(-server.pid, "SIGKILL");
      } catch {
        // It has already ended.
      }
    },
  };
}
