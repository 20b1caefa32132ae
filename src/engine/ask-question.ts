import { dirname, isAbsolute } from "node:path";
import { formatAsked, MAX_ASKED, parseAnswers, parseAsked } from "../run/asked.ts";
import { listTasksOut } from "../run/claim/match-report.ts";
import { ANSWERS_ENDING, ASK_FILE } from "../run/driven.ts";
import type { InboxEntry } from "../run/inbox.ts";
import { appendProjectLine, readProjectFile } from "../store/project-file.ts";
import { readAllEntries } from "../store/spec-files.ts";
import { isFolder, type Spec } from "../store/spec.ts";
import type { Decided } from "../tasks/model.ts";
import { noteEntry } from "./inbox.ts";
import { Refusal } from "./refusal.ts";
import type { Request } from "./request.ts";
import { listSpecsEverywhere } from "./resolve-spec.ts";
import { handOutOf, requireExecution, requireTask, type Run, withRun } from "./with-run.ts";

export interface Question {
  readonly text: string;
  readonly options: readonly string[];
  readonly task: string | undefined;
  /** What the user has decided so far does not answer it. */
  readonly isAgain: boolean;
}

const MAX_FILE = 256 << 10;

const DECIDE = "decide it yourself, and note it as an assumption in .progress.md";

/** What became of a driven agent's question: the user has decided, or the runner passes it on. */
export type Passed =
  | { readonly kind: "decided"; readonly decided: readonly Decided[] }
  | { readonly kind: "asked" };

/** In a driven session nobody is there to answer: the question goes to the runner, through a file that it names. */
export function passQuestion({ env }: Request, question: Question): Passed {
  const path = env[ASK_FILE] ?? "";
  const folder = dirname(path);
  if (!isAbsolute(path) || !isFolder(folder))
    throw new Refusal("refused", "nothing can be asked in this session", DECIDE);
  const place = { root: folder, outside: [] };
  const answers = readProjectFile(place, `${path}${ANSWERS_ENDING}`, MAX_FILE);
  const decided = answers.kind === "ok" ? parseAnswers(answers.text) : [];
  if (decided.length > 0 && !question.isAgain) return { kind: "decided", decided };
  const file = readProjectFile(place, path, MAX_FILE);
  if (file.kind === "unreadable" || (file.kind === "ok" && isFull(file.text)))
    throw new Refusal("refused", "too much has been asked about this task", DECIDE);
  const { text, options, task } = question;
  const line = formatAsked({ text, options, ...(task === undefined ? {} : { task }) });
  if (file.kind === "absent" || !file.text.includes(line)) appendProjectLine(place, path, line);
  return { kind: "asked" };
}

const isFull = (text: string): boolean => parseAsked(text).length >= MAX_ASKED;

/** In a client the question is noted, and its task waits; what does not depend on it goes on. */
export function askQuestion(request: Request, spec: Spec, question: Question): InboxEntry {
  const everywhere = listSpecsEverywhere(request);
  return withRun(request, spec, (run) => {
    requireExecution(run);
    const task = question.task ?? taskAtWork(run);
    const { id } = requireTask(run.list, task);
    const { text, options } = question;
    const asked = { kind: "question", task: id, text, options } as const;
    return noteEntry(spec, asked, run.now, everywhere).entry;
  });
}

/** The task that is out, if only one is. */
function taskAtWork(run: Run): string {
  const entries = readAllEntries(run.spec);
  const [first, ...others] = listTasksOut(handOutOf(run), run.list, run.loop, entries);
  if (first !== undefined && others.length === 0) return first;
  throw new Refusal("usage", "say which task the question is about", "--task <id>");
}
