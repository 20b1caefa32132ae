import type { Work } from "../port.ts";
import type { Launch } from "../process/start.ts";

/**
 * What one task does not need: sub-agents, earlier sessions, the client's manual. With them, a first call sends twice as
 * much.
 */
const NOT_NEEDED = [
  "task",
  "read_agent",
  "list_agents",
  "write_agent",
  "session_store_sql",
  "sql",
  "fetch_copilot_cli_documentation",
];

/**
 * Without `--prompt` it takes the prompt from standard input. It has no way to add to its system prompt that is not a
 * file, so the role comes first. Unless we have it in a sandbox, it keeps its own check of paths: an honest agent stays
 * in its work tree, the temporary folder and `writable`.
 */
export function commandLine(
  { instructions, model, prompt, wrap, writable }: Work,
  usageFile: string | undefined,
): Omit<Launch, "onLine"> {
  return {
    command: [
      "copilot",
      "--output-format=json",
      "--allow-all-tools",
      "--no-ask-user",
      "--no-auto-update",
      "--no-color",
      `--excluded-tools=${NOT_NEEDED.join(",")}`,
      ...(wrap === undefined
        ? writable.map((folder) => `--add-dir=${folder}`)
        : ["--allow-all-paths", "--allow-all-urls"]),
      ...(model === undefined ? [] : [`--model=${model}`]),
      ...(usageFile === undefined ? [] : [`--usage-output-file=${usageFile}`]),
    ],
    input: instructions === "" ? prompt : `${instructions}\n\n${prompt}`,
  };
}
