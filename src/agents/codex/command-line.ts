import { Buffer } from "node:buffer";
import type { Work } from "../port.ts";
import type { Launch } from "../process/start.ts";

/**
 * What one task does not need. Sub-agents and goals are a third of what a first call sends, and with the last it would
 * try for ever to reach a service that is not there, with a line each time, so that no silence is noticed.
 */
const OFF = ["multi_agent", "goals", "unbounded_connection_retries"];

/** Longer, a single argument is refused by Linux; on Windows the whole command line. */
const MAX_ARGUMENT = 24_000;

/**
 * The prompt goes to standard input. The role goes to `developer_instructions`, which stand beside the client's own
 * (`instructions` would replace them) and outlast a compaction. `writable` are the folders for its sandbox.
 */
export function commandLine(work: Work, writable: readonly string[]): Omit<Launch, "onLine"> {
  const { instructions, model, prompt, wrap } = work;
  const role = `developer_instructions=${tomlString(instructions)}`;
  const fits = Buffer.byteLength(role) <= MAX_ARGUMENT;
  return {
    command: [
      "codex",
      "exec",
      "--json",
      "--color=never",
      "--skip-git-repo-check",
      "--ephemeral",
      ...(wrap === undefined
        ? sandboxed(writable)
        : ["--dangerously-bypass-approvals-and-sandbox"]),
      // What it has is chosen already, and our marks have to reach every process.
      "-c",
      'shell_environment_policy.inherit="all"',
      ...OFF.flatMap((feature) => ["--disable", feature]),
      ...(model === undefined ? [] : ["--model", model]),
      ...(fits && instructions !== "" ? ["-c", role] : []),
      "-",
    ],
    input: fits ? prompt : `${instructions}\n\n${prompt}`,
  };
}

const sandboxed = (writable: readonly string[]): readonly string[] => [
  "--sandbox=workspace-write",
  "-c",
  'approval_policy="never"',
  ...writable.flatMap((folder) => ["--add-dir", folder]),
];

/** JSON's strings are TOML's, but for one character that TOML has escaped. */
const tomlString = (text: string): string => JSON.stringify(text).replaceAll("\u007F", "\\u007f");
