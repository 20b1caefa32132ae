import { readSpans } from "../../text/spans.ts";
import { fieldOf, isField, readFields } from "../fields.ts";
import type { Task, TaskList } from "../model.ts";
import { parseCommands } from "../verify-command.ts";
import { parseVerify } from "./verify.ts";

/**
 * Whether a task asks for nothing but the commands of its Verify: then a program can do it. Criteria in words need
 * somebody who reads the code; so does a command that is only in **Do**.
 */
export function asksOnlyCommands(list: TaskList, task: Task): boolean {
  const { checks } = parseVerify(fieldOf(list, task, "verify") ?? "");
  if (checks.length === 0 || checks.some(({ doubt }) => doubt !== undefined)) return false;
  const verified = checks.map(({ command }) => squeeze(command)).join("\n");
  const known = new Set<number>();
  for (const { name, value, line, endLine } of readFields(list, task)) {
    for (let at = line; at <= endLine; at++) known.add(at);
    const isPlan = isField(name, "do") || isField(name, "doneWhen");
    if (!isPlan && !OTHERS.some((field) => isField(name, field))) return false;
    if (isPlan && !isFiller(withoutSpans(value))) return false;
    if (
      isField(name, "do") &&
      !parseCommands(value).every((one) => verified.includes(squeeze(one)))
    )
      return false;
  }
  const rest = list.lines
    .slice(task.line, task.endLine)
    .filter((_, i) => !known.has(task.line + 1 + i));
  return rest.every((line) => isFiller(line.replace(/^\s*>.*/, "")));
}

/** What these say does not change what is to be done. */
const OTHERS = ["verify", "files", "commit", "requirements", "design", "depends"] as const;

const squeeze = (text: string): string => text.replace(/\s+/g, " ").trim();

function withoutSpans(text: string): string {
  const fences = withoutFences(text);
  let rest = "";
  let from = 0;
  for (const { start, end } of readSpans(fences)) {
    rest += fences.slice(from, start);
    from = end;
  }
  return rest + fences.slice(from);
}

/** One that is not closed is text. */
function withoutFences(text: string): string {
  let fence: string | undefined;
  const lines = text.split("\n").flatMap((line) => {
    const isInside = fence !== undefined;
    if (fence === undefined) fence = /^(?:`{3,}|~{3,})/.exec(line)?.[0];
    else if (line.startsWith(fence)) fence = undefined;
    return isInside || fence !== undefined ? [] : [line];
  });
  return fence === undefined ? lines.join("\n") : text;
}

/** Words that say no more than "run these, all must pass". */
const FILLER = new Set(
  `a after again all and any are as be been below both build builds check checked checks ci clean code codes command commands compile compiles
  complete completes each error errors everything execute exit exits fail failing fails failure failures first fix fixed fixes following format
  found full gate gates green if in is issue issues it left lint linter linting local locally must new no none of off on once order out over pass
  passed passes passing pipeline problem problems project quality remain run running runs script should status step steps still succeed succeeds
  successfully suite suites test tests that the them then there they this to type typecheck typechecks types typing until verify warning warnings
  with without zero`.split(/\s+/),
);

const isFiller = (text: string): boolean =>
  (text.toLowerCase().match(/[\p{L}\p{N}_]+/gu) ?? []).every(
    (word) => FILLER.has(word) || /^\d+$/.test(word),
  );
