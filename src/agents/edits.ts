import { type Fields, textOf } from "./json.ts";
import type { AgentEvent } from "./port.ts";

/** Tools of Claude Code and Copilot that change the file that they name. */
const TOOLS = new Set(["Edit", "MultiEdit", "Write", "NotebookEdit", "edit", "create"]);
const PATHS = ["file_path", "notebook_path", "path"];

/** The files that a call of an agent's own edit tool names. */
export const editsOf = (tool: string, given: Fields): AgentEvent[] =>
  TOOLS.has(tool) ? toldEdits(PATHS.map((key) => textOf(given[key]))) : [];

export function toldEdits(paths: readonly (string | undefined)[]): AgentEvent[] {
  const files = paths.filter((path): path is string => path !== undefined && path !== "");
  return files.length === 0 ? [] : [{ kind: "edited", files }];
}
