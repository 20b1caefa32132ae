import { keepStart } from "../../text/cut.ts";

/** What node's test runner prints after the reason: counts, and the kind of error. */
const EMPTY = /^[#ℹ] (?:tests|suites|pass|fail|cancelled|skipped|todo|duration_ms) |^name: '\w+'$/;
/** What usually names the cause. */
const TELLING = /^not ok |Error\b|^\s*at |[✖✗×]|\bexpected\b|\breceived\b|\bFAIL/i;
const MAX_LINE = 200;

/** The lines of an output that say something. */
export const tellingLines = (tail: string): string[] =>
  tail
    .split(/\r?\n/)
    .map((line) => keepStart(line.trim(), MAX_LINE))
    .filter((line) => /\w/.test(line) && !EMPTY.test(line));

/** The lines of an output that help to fix it, in their order: those that name a cause, and the end. */
export function usefulLines(tail: string, most = 8): string[] {
  const lines = tellingLines(tail);
  if (lines.length <= most) return lines;
  const telling = lines.flatMap((line, i) => (TELLING.test(line) ? [i] : []));
  const kept = new Set(telling.slice(-(most - 2)));
  for (let i = lines.length - 1; i >= 0 && kept.size < most; i--) kept.add(i);
  return lines.filter((_, i) => kept.has(i));
}

/** The most telling line, usually the last one with words in it. */
export function lastLine(tail: string): string {
  const lines = tellingLines(tail);
  return lines.findLast((line) => /^not ok |Error\b/.test(line)) ?? lines.at(-1) ?? "";
}
