import { Buffer } from "node:buffer";
import { relative } from "node:path";
import { findGit } from "../../store/git-files.ts";
import type { Work } from "../port.ts";
import type { Launch } from "../process/supervise.ts";

/**
 * What one task does not need. Sub-agents and goals are a third of what the first call sends. With unbounded retries it
 * would try forever to reach a service that is down, and print a line each time, so that it never seems silent.
 */
const DISABLED = ["multi_agent", "goals", "unbounded_connection_retries"];

/** Linux refuses a much longer argument, and Windows a longer command line. */
const MAX_ARGUMENT = 24_000;

/**
 * The prompt goes to standard input. The role goes to `developer_instructions`, which are added to the client's own
 * (`instructions` would replace them) and survive compaction. `writable` lists folders for its sandbox.
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
      rightsOf(wrap !== undefined),
      ...(wrap === undefined ? sandboxed(writable) : []),
      // We have already chosen its variables, and our marks must reach every process.
      "-c",
      'shell_environment_policy.inherit="all"',
      ...DISABLED.flatMap((feature) => ["--disable", feature]),
      ...(model === undefined ? [] : ["--model", model]),
      ...(fits && instructions !== "" ? ["-c", role] : []),
      "-",
    ],
    input: fits ? prompt : `${instructions}\n\n${prompt}`,
  };
}

/** In our sandbox it does without its own. */
export const rightsOf = (isBoxed: boolean): string =>
  isBoxed ? "--dangerously-bypass-approvals-and-sandbox" : "--sandbox=workspace-write";

const sandboxed = (writable: readonly string[]): readonly string[] => [
  "-c",
  'approval_policy="never"',
  ...writable.flatMap((folder) => ["--add-dir", folder]),
];

/** A JSON string is a TOML string, except for one character that TOML requires to be escaped. */
const tomlString = (text: string): string => JSON.stringify(text).replaceAll("\u007F", "\\u007f");

/** Its sandbox write-protects a work tree's own folder in the repository, even if the repository itself is writable. */
export function writableFor({ cwd, writable }: Pick<Work, "cwd" | "writable">): readonly string[] {
  const own = findGit(cwd)?.own;
  if (own === undefined) return writable;
  const isIn = (folder: string): boolean => !/^$|^\.\./.test(relative(folder, own));
  return writable.some(isIn) ? [...writable, own] : writable;
}
