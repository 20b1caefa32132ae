import type { Work } from "../port.ts";
import type { Launch } from "../process/supervise.ts";

/** What one task does not need. Sub-agents, old sessions and the client's manual double the size of the first call. */
const NOT_NEEDED = [
  "task",
  "read_agent",
  "list_agents",
  "write_agent",
  "session_store_sql",
  "sql",
  "fetch_copilot_cli_documentation",
];

export const rightsOf = (isBoxed: boolean): readonly string[] => [
  "--allow-all-tools",
  ...(isBoxed ? ["--allow-all-paths", "--allow-all-urls"] : []),
];

/**
 * Without `--prompt` it reads the prompt from standard input. Its system prompt can only be extended by a file, so the
 * role comes before the prompt. Outside our sandbox it keeps its own check of paths: an honest agent stays in its work
 * tree, the temporary folder and `writable`.
 */
export function commandLine(
  { instructions, model, prompt, wrap, writable }: Work,
  usageFile: string | undefined,
): Omit<Launch, "onLine"> {
  return {
    command: [
      "copilot",
      "--output-format=json",
      ...rightsOf(wrap !== undefined),
      "--no-ask-user",
      "--no-auto-update",
      "--no-color",
      `--excluded-tools=${NOT_NEEDED.join(",")}`,
      ...(wrap === undefined ? writable.map((folder) => `--add-dir=${folder}`) : []),
      ...(model === undefined ? [] : [`--model=${model}`]),
      ...(usageFile === undefined ? [] : [`--usage-output-file=${usageFile}`]),
    ],
    input: instructions === "" ? prompt : `${instructions}\n\n${prompt}`,
  };
}
