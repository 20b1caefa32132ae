import { Buffer } from "node:buffer";
import type { Work } from "../port.ts";
import type { Launch } from "../process/start.ts";

/**
 * What one task needs. The client's full set, with its sub-agents, schedules and workflows, is two thirds of what a
 * call costs, and what is scheduled for later does not happen in a process that ends with the turn. Skills cost a tenth
 * in every call; our sub-agents in the client do without them too.
 */
const TOOLS = [
  "Bash",
  "Read",
  "Edit",
  "Write",
  "WebFetch",
  "WebSearch",
  // Finds the tools of the user's MCP servers; without it each of them is described in every call.
  "ToolSearch",
];

const SETTINGS = {
  // It is for us to wait: the client would for minutes, and nobody would see why.
  CLAUDE_CODE_MAX_RETRIES: "2",
  // A command in the background is cut off by the end of the turn, and keeps the client from ending.
  CLAUDE_CODE_DISABLE_BACKGROUND_TASKS: "1",
  // Kept outside of the work tree, and 500 tokens a call. What the next agent should know has a place in the spec.
  CLAUDE_CODE_DISABLE_AUTO_MEMORY: "1",
  // Nor are they listed where a user's own tools bring them back.
  CLAUDE_CODE_DISABLE_BUNDLED_SKILLS: "1",
  // Not in the middle of a run.
  DISABLE_AUTOUPDATER: "1",
};

/** Longer, a single argument is refused by Linux. */
const MAX_ARGUMENT = 100_000;

/** The prompt goes to standard input: it may be longer than a command line, which everybody on the machine can read. */
export function commandLine(work: Work, isRoot: boolean): Omit<Launch, "onLine"> {
  const { instructions, model, prompt } = work;
  const fits = Buffer.byteLength(instructions) <= MAX_ARGUMENT;
  const env = {
    ...SETTINGS,
    // As root it refuses to work without questions, unless it is told that there is nothing to lose.
    ...(isRoot ? { IS_SANDBOX: "1" } : {}),
  };
  return {
    command: [
      "claude",
      "-p",
      "--output-format=stream-json",
      "--verbose",
      "--dangerously-skip-permissions",
      "--no-session-persistence",
      `--tools=${TOOLS.join(",")}`,
      ...(model === undefined ? [] : ["--model", model]),
      ...(fits && instructions !== "" ? ["--append-system-prompt", instructions] : []),
    ],
    input: fits ? prompt : `${instructions}\n\n${prompt}`,
    // Whoever sets one of these has a reason.
    env: Object.fromEntries(Object.entries(env).filter(([name]) => !(name in work.env))),
  };
}
