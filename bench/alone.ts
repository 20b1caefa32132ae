import { spawn } from "node:child_process";
import { commandLine } from "../src/agents/claude/command-line.ts";
import { specum } from "../src/layouts/specum.ts";
import { renderInstructions } from "../src/prompts/roles.ts";
import { runnerEdition } from "../src/runner/edition.ts";
import type { Night } from "../test/e2e/run/night.ts";

/** Milliseconds that the client takes for a task without us: the same command line, from its start to its end. */
export async function runAlone({ env }: Night, root: string, id: string): Promise<number> {
  const {
    command,
    input,
    env: added,
  } = commandLine(
    {
      cwd: root,
      env,
      prompt: `# Task ${id} of spec demo\n\nWrite part ${id}, and commit it.`,
      instructions: renderInstructions(runnerEdition(specum), "spec-executor"),
      writable: [],
      limits: { wallMs: 0, silentMs: 0, graceMs: 0 },
      record: () => undefined,
    },
    process.getuid?.() === 0,
  );
  const [program = "", ...args] = command;
  const began = performance.now();
  const child = spawn(program, args, {
    cwd: root,
    env: { ...env, ...added },
    stdio: ["pipe", "ignore", "ignore"],
  });
  child.stdin.end(input);
  const code = await new Promise<number | null>((resolve) => child.once("exit", resolve));
  if (code !== 0) throw new Error(`claude -p ended with ${code}`);
  return performance.now() - began;
}
