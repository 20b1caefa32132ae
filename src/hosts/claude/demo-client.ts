import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import { quoteForShell } from "../../text/quote.ts";

declare const __dirname: string;

/** What a client does with us: it runs our program for the agent, and our hook at the end of each turn. */
export class DemoClient {
  readonly sessionId = "demo-session";
  private readonly folder: string;
  private continuing = false;

  constructor(folder: string) {
    this.folder = folder;
  }

  /** What the user types after a slash: the client runs its hook first, then the command file. */
  type(command: string): { code: number; text: string } {
    const prompt = { ...this.event("UserPromptExpansion"), prompt: `/ralph-specum:${command}` };
    this.node(["hook.cjs", "specum", "expansion"], JSON.stringify(prompt));
    return this.command([command, "--typed", this.sessionId]);
  }

  command(args: readonly string[], input = ""): { code: number; text: string } {
    const run = this.node(["cli.cjs", "--layout=specum", ...args], input);
    return { code: run.status ?? -1, text: (run.stdout + run.stderr).trim() };
  }

  stop(message: string): { reason?: string; systemMessage?: string; milliseconds: number } {
    const input = JSON.stringify({
      ...this.event("Stop"),
      stop_hook_active: this.continuing,
      last_assistant_message: message,
      background_tasks: [],
    });
    const began = performance.now();
    const { stdout } = this.node(["hook.cjs", "specum", "stop"], input);
    const milliseconds = performance.now() - began;
    this.continuing = true;
    const answer =
      stdout === "" ? {} : (JSON.parse(stdout) as { reason?: string; systemMessage?: string });
    return { ...answer, milliseconds };
  }

  /** How to begin: the plugin, as typed in a shell unless this is an installed one, and the client. */
  firstSteps(): string[] {
    const start = "Start Claude Code in your project and type a goal:";
    const root = join(__dirname, "..", "..", "..");
    if (!existsSync(join(root, ".claude-plugin", "marketplace.json"))) return [start];
    return [
      "Install the plugin:",
      `  claude plugin marketplace add ${quoteForShell(root)}`,
      "  claude plugin install ralph-specum@smart-ralph",
      start,
    ];
  }

  private event(name: string): object {
    return { session_id: this.sessionId, cwd: this.folder, hook_event_name: name };
  }

  private node([file, ...args]: readonly string[], input: string) {
    // The bundles are side by side, in the plugin as in this program.
    return spawnSync(process.execPath, [join(__dirname, file as string), ...args], {
      cwd: this.folder,
      env: {
        PATH: process.env["PATH"] ?? "",
        // The demo leaves nothing on the machine. In the project, records would not count.
        XDG_STATE_HOME: join(dirname(this.folder), "state"),
        CLAUDE_CODE_SESSION_ID: this.sessionId,
        NO_COLOR: "1",
      },
      input,
      encoding: "utf8",
      timeout: 30_000,
    });
  }
}
