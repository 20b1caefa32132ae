import { renderTranscript } from "../../agents/transcript/render.ts";
import { Refusal } from "../../engine/refusal.ts";
import { readEvents } from "../../runner/read-events.ts";
import { type RunFolder, transcriptFile } from "../../runner/run-files.ts";
import { findRun } from "../../runner/run-list.ts";
import type { AttemptView } from "../../runner/view/model.ts";
import { reduceAll } from "../../runner/view/reduce.ts";
import { findTop } from "../../store/project.ts";
import { readTail, readText, statOf } from "../../store/read.ts";
import { clean } from "../../text/template.ts";
import { stringOption, wholeNumber } from "../cli/arguments.ts";
import type { Context, Input, Result } from "../cli/command.ts";

/** A view shows only the end of a transcript. */
const TAIL = 256 << 10;
const WHOLE = 64 << 20;

/** Returns a reader for the end of an attempt's log. It is called often, so an unchanged file is not read again. */
export function openLogs(
  run: Pick<RunFolder, "folder">,
): (attempt: AttemptView) => readonly string[] {
  let cached = { path: "", size: -1, lines: [] as readonly string[] };
  return (attempt) => {
    const path = transcriptFile(run, attempt);
    const size = statOf(path)?.size ?? 0;
    if (cached.path !== path || cached.size !== size) {
      const file = readTail(path, TAIL);
      // A tail may begin in the middle of a line.
      const lines = file.kind === "ok" ? file.text.split("\n").slice(size > TAIL ? 1 : 0) : [];
      cached = { path, size, lines: renderTranscript(lines) };
    }
    return cached.lines;
  };
}

/** The run that a command names; runs of the current project come first. */
export const runOf = (context: Context, word: string | undefined): RunFolder =>
  findRun(word, findTop(context.cwd) ?? context.cwd);

/** `logs --run`: the transcript of the named attempt, or of the last one. */
export function showAttempt(context: Context, input: Input): Result {
  const run = runOf(context, input.args[0]);
  const { attempts } = reduceAll(readEvents(run));
  const task = stringOption(input, "task");
  const number = wholeNumber(input, "attempt");
  const found = attempts.filter(
    (one) =>
      (task === undefined || one.task === task) && (number === undefined || one.attempt === number),
  );
  const chosen = found.at(-1);
  if (chosen === undefined)
    throw new Refusal("missing", `run ${run.info.run} has no such attempt`, listAttempts(attempts));
  const file = readText(transcriptFile(run, chosen), WHOLE);
  const lines = file.kind === "ok" ? file.text.split("\n").filter((line) => line !== "") : [];
  const isRaw = input.options["raw"] === true;
  const shown = (isRaw ? lines.map(clean) : renderTranscript(lines)).slice(
    -(wholeNumber(input, "lines") ?? Infinity),
  );
  const { spec, task: id, attempt, agent } = chosen;
  const title = `${id} attempt ${attempt}, ${agent}, run ${run.info.run}`;
  return {
    text: shown.length === 0 ? `nothing was recorded for ${title}` : shown.join("\n"),
    json: { run: run.info.run, spec, task: id, attempt, agent, lines: shown },
    ...(isRaw ? { verbatim: true as const } : { aside: title }),
  };
}

function listAttempts(attempts: readonly AttemptView[]): string {
  const names = [...new Set(attempts.map(({ task, attempt }) => `${task} (${attempt})`))];
  return names.length === 0
    ? "no agent was started in it"
    : `tasks with their attempts: ${names.slice(-20).join(", ")}`;
}
