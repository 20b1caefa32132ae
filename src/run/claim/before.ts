import type { Evidence } from "./evidence.ts";
import { lastLine } from "./useful-lines.ts";

/** What programs print when they were called wrongly, rather than when they find something wrong. */
const MISUSED =
  /\b(?:bad|unknown|unrecognized|unrecognised|invalid|illegal|unexpected|unsupported) (?:option|flag|argument|command|switch)|no such option|requires an argument|expects an argument|missing (?:required )?(?:argument|operand)|^usage:|\bsyntax error\b|unexpected (?:end of file|EOF)|unterminated quoted|unmatched/im;

/**
 * Why a Verify that was tried before the work cannot run at all, as opposed to one that fails because the work is not
 * done. A script that the task itself is going to write is not there yet, so a missing path says nothing.
 */
export function whyNotRunnable(evidence: Evidence | undefined): string | undefined {
  if (evidence === undefined) return undefined;
  const { outcome, why, exitCode, tail, command } = evidence;
  const said = lastLine(tail);
  if (outcome === "unrun") return why ?? "it could not be started";
  if (outcome !== "failed") return undefined;
  const isPath = /^\S*\//.test(command) || /No such file/i.test(said);
  if (exitCode === 127 && !isPath) return said || "command not found";
  if (exitCode === 126) return said || "it may not be executed";
  const misused = MISUSED.exec(tail);
  if (misused === null) return undefined;
  const start = tail.lastIndexOf("\n", misused.index) + 1;
  return tail
    .slice(start, start + 200)
    .split("\n", 1)[0]
    ?.trim();
}
