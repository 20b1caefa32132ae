import { rmSync } from "node:fs";
import { join } from "node:path";
import { amendVerify } from "../engine/amend-verify.ts";
import { recordQuestion, skipTask } from "../engine/inbox.ts";
import type { Request } from "../engine/request.ts";
import { listSpecsEverywhere } from "../engine/run-trees.ts";
import { formatAnswers, parseAsked } from "../run/asked.ts";
import { ANSWERS_ENDING, ASK_FILE } from "../run/driven.ts";
import { type InboxEntry, isOpen } from "../run/inbox.ts";
import type { Entry } from "../run/journal.ts";
import { readInbox } from "../store/inbox.ts";
import { MAX_BYTES, readText } from "../store/read.ts";
import { readAllEntries } from "../store/spec-files.ts";
import { type Spec, shownPath } from "../store/spec.ts";
import { encodeFileName } from "../store/vault-place.ts";
import { writeWhole } from "../store/write.ts";
import type { Coordinator } from "./coordinator.ts";
import type { Job } from "./jobs.ts";
import type { Questions } from "./questions.ts";
import type { Stage } from "./stage.ts";

/** Answers to questions of the run itself, about a task that could not be done. */
const AGAIN = "try again";
const LEAVE = "leave it";
export const REPLACE = "replace it";
/** More than anybody would answer. */
const MAX_TIMES = 1000;

/** Questions of a spec's agents, and of the run itself, go to the spec's inbox. `request` is the user's own. */
export function askUser(
  stage: Stage,
  request: Request,
  coordinator: Pick<Coordinator, "spec" | "again">,
): Questions {
  const { spec } = coordinator;
  const told = new Set<number>();
  const tell = ({ id, task, text, options }: InboxEntry): void => {
    if (told.has(id)) return;
    told.add(id);
    stage.emit({ kind: "question", spec: spec.name, task, id, text, options });
  };

  function record(job: Job, text: string, options: readonly string[], verify?: string): InboxEntry {
    const proposed = verify === undefined ? {} : { verify };
    const asked = { task: job.id, text, options, run: stage.run, ...proposed };
    const { entry } = recordQuestion(spec, asked, request.now(), listSpecsEverywhere(request));
    if (isOpen(entry)) tell(entry);
    return entry;
  }

  const ask: Questions["ask"] = (job, text, options = [AGAIN, LEAVE], verify) => {
    return isOpen(record(job, text, options, verify));
  };

  return {
    open(job, root) {
      const folder = join(root, shownPath(spec.project, spec.folder));
      const file = join(folder, `.ask-${encodeFileName(job.id)}.jsonl`);
      const answers = `${file}${ANSWERS_ENDING}`;
      return {
        env: { [ASK_FILE]: file },
        ready() {
          clear(file, answers);
          const decided = readInbox(spec).entries.flatMap(({ kind, task, text, answer }) =>
            kind === "question" && task === job.id && answer !== undefined
              ? [{ question: text, answer }]
              : [],
          );
          if (decided.length > 0) writeWhole(answers, formatAnswers(decided));
        },
        take() {
          const said = readText(file, MAX_BYTES.document);
          const asked = said.kind === "ok" ? parseAsked(said.text) : [];
          clear(file, answers);
          return asked
            .map(({ text, options }) =>
              record(job, text, options.length === 0 ? options : [...options, LEAVE]),
            )
            .filter(isOpen)
            .map(({ text }) => text);
        },
      };
    },
    ask,
    askAgain(job, text, options) {
      // A question is known by its text, and one that was answered is not asked again.
      for (let time = 1; time <= MAX_TIMES; time++)
        if (ask(job, time === 1 ? text : `Again (${time}): ${text}`, options)) return;
    },
    applyAnswers() {
      const { entries } = readInbox(spec);
      for (const entry of entries) {
        if (entry.kind !== "question") continue;
        // Also what an earlier run has asked.
        if (isOpen(entry)) tell(entry);
        else if (told.delete(entry.id)) {
          const { id, answer = "" } = entry;
          stage.emit({ kind: "answered", spec: spec.name, id, answer });
        }
      }
      for (const entry of entries.filter((one) => isNews(spec, one))) {
        if (entry.answer === LEAVE) skipTask(request, spec, entry.task, "left, as you said");
        else if (entry.answer === REPLACE && entry.verify !== undefined) {
          const made = amendVerify(byUser(request), spec, entry.task, entry.verify, "as you said");
          if (made.kind === "refused") stage.emit({ kind: "note", text: made.why });
        }
        // Whatever else was answered, it is tried again with that.
        if (entry.answer !== LEAVE) coordinator.again(entry.task);
      }
    },
    hasFailures: () =>
      readInbox(spec).entries.some(
        (one) => isOpen(one) && [AGAIN, REPLACE].some((option) => one.options.includes(option)),
      ),
  };
}

/** Only the user answers, or a script of theirs, whoever started the run. */
const byUser = (request: Request): Request => ({
  ...request,
  caller: { ...request.caller, authority: "user" },
});

/** Answered since its task was last tried. */
function isNews(spec: Spec, { run, task, answeredAt }: InboxEntry): boolean {
  if (run === undefined || answeredAt === undefined) return false;
  return !readAllEntries(spec).some(
    (entry) => entry.task === task && HEEDED.has(entry.event) && entry.at > answeredAt,
  );
}

const HEEDED: ReadonlySet<Entry["event"]> = new Set(["delegated", "skipped", "done", "accepted"]);

function clear(...files: readonly string[]): void {
  for (const file of files) rmSync(file, { force: true });
}
