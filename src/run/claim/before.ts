import type { Evidence } from "./evidence.ts";
import { outputLines, whyNoProgram } from "./not-installed.ts";
import { lastLine } from "./useful-lines.ts";

/** What programs print about how they were called, rather than about what they found. */
const MISUSED = [
  /\b(?:bad|unknown|unrecognized|unrecognised|invalid|illegal|unexpected|unsupported) (?:CLI |compiler )?(?:option|flag|argument|command|switch|parameter)/i,
  /\bno such option|flag provided but not defined|(?:requires|expects) an argument|missing (?:required )?(?:argument|operand)/i,
  /^usage:/i,
  /^(?!\w*Error:)\S+: .*(?:\bsyntax error\b|unexpected (?:end of file|EOF)|unterminated|unmatched)/i,
];

/** A test ran, so the command could run. Its title, or a program that it calls, may well say "unknown option". */
const RESULT = [
  /^[ \t]*(?:(?:not )?ok \d|# Subtest\b|[✔✖✓✗✘×√] |\((?:pass|fail)\) |=== RUN|--- (?:FAIL|PASS)|running [1-9]\d* tests?\b)/m,
  /^[ \t]*(?:(?:[#ℹ] tests|collected) [1-9]|(?:PASS|FAIL) \S|test result:|test \S+ \.\.\. )/m,
  /^ok {2}\t\S|\b[1-9]\d* (?:passed|failed|passing|failing)\b/m,
];

/** Indented lines quote something, and so does an assertion. */
const isQuote = (line: string): boolean => /^\s|^Assertion\w*\b/.test(line);

/** What programs print if the file that they should run is not there, and its name. */
const MISSING = [
  /^Could not find '([^']+)'/,
  /^Error: Cannot find module '([^']+)'/,
  /can't open file '([^']+)'/,
  /^\S*sh: (?:line )?(?:\d+: )?([^:]+): (?:No such file or directory|not found)$/,
  /^ERROR: (?:file or directory not found|not found): (\S+)/,
];

/**
 * Why a Verify that was tried before the work cannot run at all, as opposed to one that fails because the work is not
 * done. A script that the task itself is going to write is not there yet, so a missing path says something only if the
 * task names its `files` and that is not one of them.
 */
export function whyNotRunnable(
  evidence: Evidence | undefined,
  files: readonly string[] = [],
): string | undefined {
  if (evidence === undefined) return undefined;
  const { outcome, why, exitCode, tail, command, meddled } = evidence;
  if (outcome === "unrun" || meddled === true) return why ?? "it could not be started";
  if (outcome !== "failed" || RESULT.some((pattern) => pattern.test(tail))) return undefined;
  const noProgram = whyNoProgram(evidence);
  if (noProgram !== undefined) return noProgram;
  if (exitCode === 126) return lastLine(tail) || "it may not be executed";
  return outputLines(tail).find(
    (line) =>
      !isQuote(line) &&
      (MISUSED.some((pattern) => pattern.test(line)) || isMissing(line, command, files)),
  );
}

/** Whether the command's own script is not there, and the task will not write it. */
function isMissing(line: string, command: string, files: readonly string[]): boolean {
  if (files.length === 0) return false;
  if (/\bMissing script: /.test(line)) return !files.some((file) => covers(file, "package.json"));
  const path = MISSING.map((pattern) => pattern.exec(line)?.[1]).find(Boolean);
  if (path === undefined) return false;
  const words = command.split(/[\s"'`;&|()]+/).map((word) => word.replace(/^(?:\.\/)+/, ""));
  const named = words.find((word) => word !== "" && `/${path}`.endsWith(`/${word}`));
  return named !== undefined && !files.some((file) => covers(file, named));
}

/** Generous: the command may run in another folder, and a pattern may match anything. */
const covers = (file: string, name: string): boolean =>
  /[*{]/.test(file) || `/${file}`.endsWith(`/${name}`) || `/${name}`.includes(`/${folder(file)}/`);

const folder = (file: string): string => file.replace(/(?<!\/)\/+$/, "");
