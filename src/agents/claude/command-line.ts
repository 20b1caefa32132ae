import { Buffer } from "node:buffer";
import type { Work } from "../port.ts";
import type { Launch } from "../process/supervise.ts";

/**
 * What one task needs. The client's full set, with sub-agents, schedules and workflows, makes up two thirds of the cost
 * of a call, and nothing can be scheduled for later in a process that ends with the turn. Skills are a tenth of every
 * call; our sub-agents in the client do without them too.
 */
const TOOLS = [
  "Bash",
  "Read",
  "Edit",
  "Write",
  "WebFetch",
  "WebSearch",
  // Finds the tools of the user's MCP servers; without it, every call describes all of them.
  "ToolSearch",
];

const SETTINGS = {
  // We do the waiting: the client would wait for minutes, and nobody would see why.
  CLAUDE_CODE_MAX_RETRIES: "2",
  // A background command is cut off when the turn ends, and keeps the client from exiting.
  CLAUDE_CODE_DISABLE_BACKGROUND_TASKS: "1",
  // Memory is outside the work tree and costs 500 tokens a call. What the next agent should know belongs in the spec.
  CLAUDE_CODE_DISABLE_AUTO_MEMORY: "1",
  // Otherwise they are still listed if the user's own tools bring skills back.
  CLAUDE_CODE_DISABLE_BUNDLED_SKILLS: "1",
  // Not in the middle of a run.
  DISABLE_AUTOUPDATER: "1",
};

/** Nobody is there to be asked. */
export const RIGHTS = "--dangerously-skip-permissions";

/** Linux refuses a longer argument. */
const MAX_ARGUMENT = 100_000;

/** The prompt goes to standard input: a command line has a maximum length, and everyone on the machine can read it. */
export function commandLine(work: Work, isRoot: boolean): Omit<Launch, "onLine"> {
  const { instructions, model, prompt } = work;
  const fits = Buffer.byteLength(instructions) <= MAX_ARGUMENT;
  const env = {
    ...SETTINGS,
    // As root it refuses to skip permissions, unless it is told that it runs in a sandbox.
    ...(isRoot ? { IS_SANDBOX: "1" } : {}),
  };
  return {
    command: [
      "claude",
      "-p",
      "--output-format=stream-json",
      "--verbose",
      RIGHTS,
      "--no-session-persistence",
      `--tools=${TOOLS.join(",")}`,
      ...(model === undefined ? [] : ["--model", model]),
      ...(fits && instructions !== "" ? ["--append-system-prompt", instructions] : []),
    ],
    input: fits ? prompt : `${instructions}\n\n${prompt}`,
    // If the user has set one of these, there is a reason.
    env: Object.fromEntries(Object.entries(env).filter(([name]) => !(name in work.env))),
  };
}
