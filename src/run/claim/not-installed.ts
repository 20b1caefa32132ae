import { isInstalled } from "../installed.ts";
import type { Evidence } from "./evidence.ts";
import { lastLine } from "./useful-lines.ts";

const MAX_LINE = 200;

export const outputLines = (tail: string): string[] =>
  tail.split(/\r?\n/).map((line) => line.trimEnd().slice(0, MAX_LINE));

/** What shells print if a program is not there, and its name; `env` prints it about an interpreter. */
const NO_PROGRAM = [
  /: ([^\s:]+): (?:command )?not found$/,
  /: command not found: (\S+)$/,
  /\benv: ['‘]?([^\s:'’]+)['’]?: No such file or directory$/,
];
/** The same about a file, which may be the project's own. */
const NO_FILE = /: ([^\s:]+): (?:No such file or directory|Permission denied)$/;

/**
 * Why a program could not be started that is installed, not written in the project. Shells end with 127 if it is not
 * there, and with 126 if it may not be run.
 */
export function whyNoProgram({ exitCode, tail, command }: Evidence): string | undefined {
  if (exitCode !== 127 && exitCode !== 126) return undefined;
  const nameIn = (line: string): string | undefined =>
    NO_PROGRAM.map((pattern) => pattern.exec(line)?.[1]).find(Boolean);
  const said = outputLines(tail).findLast((line) => nameIn(line) !== undefined) ?? lastLine(tail);
  const file = nameIn(said) === undefined ? NO_FILE.exec(said)?.[1] : undefined;
  const program = nameIn(said) ?? file ?? command.trimStart().split(/\s/, 1)[0] ?? "";
  if ((file !== undefined || program.includes("/")) && !isInstalled(program)) return undefined;
  return said || "command not found";
}

/** What programs print if a package is not installed. A path would be a file of the project. */
const NO_PACKAGE = [
  /^(?:# )?Error(?: \[\w+\])?: Cannot find (?:module|package) '@?[\w-][^':]*'/,
  /\bnpx canceled due to missing packages\b/,
  /^npm warn exec The following packages? (?:was|were) not found and will be installed\b/,
  /\bThis is not the tsc command you are looking for\b/,
  /\bnode_modules missing, did you mean to install\b/,
  /\bCouldn't find the node_modules state file\b/,
];

/**
 * Why a Verify failed without saying anything about the project: what it needs is installed, not committed, and is not
 * there. A file that the project itself should contain is another matter.
 */
export const whyNotInstalled = (evidence: Evidence): string | undefined =>
  evidence.outcome === "failed"
    ? (whyNoProgram(evidence) ??
      outputLines(evidence.tail).find((line) => NO_PACKAGE.some((pattern) => pattern.test(line))))
    : undefined;
