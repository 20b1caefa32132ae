import { type Client, runCommand, startClient } from "../client.ts";
import { CURRENT, findProgram, repoRoot } from "../install.ts";
import { bash } from "../wire.ts";
import { type Adapter, versionOf } from "./adapter.ts";

/** Any address: nobody asks a model for this. */
const NOBODY = { url: "http://127.0.0.1:9" };

export const claude: Adapter = {
  id: "claude",
  name: "Claude Code",
  package: "@anthropic-ai/claude-code",
  version: CURRENT,
  find: findProgram,
  // All its versions are tested, and it came first.
  folder: (version) => version,
  worker: "agents",
  reports: "message",
  type: ({ plugin }, command) => `/${plugin}:${command}`,
  // On the path of what the client runs.
  program: ({ plugin }) => plugin,
  shell: bash,
  sessionVariable: "CLAUDE_CODE_SESSION_ID",
  async install({ place }) {
    const options = {
      model: NOBODY,
      home: place.home,
      cwd: place.root,
      version: versionOf(claude),
    };
    await runCommand(["plugin", "marketplace", "add", repoRoot], options);
    await runCommand(["plugin", "install", `${place.layout.plugin}@smart-ralph`], options);
  },
  async open({ place, url }) {
    const options = { model: { url }, home: place.home, cwd: place.root };
    const client: Client = await startClient({
      ...options,
      version: versionOf(claude),
      timeoutMs: 150_000,
    });
    return {
      async say(prompt) {
        await client.say(prompt);
        return { output: JSON.stringify(client.events.slice(-20)), timedOut: false };
      },
      interrupt: () => client.interrupt(),
      async close() {
        client.kill();
        await client.done;
      },
    };
  },
  differences: {},
};
