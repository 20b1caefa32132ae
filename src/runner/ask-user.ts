import { rmSync } from "node:fs";
import { join } from "node:path";
import { amendVerify } from "../engine/amend-verify.ts";
import { isPending, readInboxes, recordQuestion } from "../engine/inbox.ts";
import type { Request } from "../engine/request.ts";
import { listSpecsEverywhere } from "../engine/resolve-spec.ts";
import { AGAIN, LEAVE, REPLACE } from "../run/answers.ts";
import { formatAnswers, parseAsked } from "../run/asked.ts";
import { isDoubted } from "../run/claim/task-history.ts";
import { ANSWERS_ENDING, ASK_FILE } from "../run/driven.ts";
import { type InboxEntry, isOpen, type NewEntry } from "../run/inbox.ts";
import type { Entry } from "../run/journal.ts";
import { readInbox } from "../store/inbox.ts";
import { MAX_BYTES, readText } from "../store/read.ts";
import { readAllEntries } from "../store/spec-files.ts";
import { type Spec, shownPath } from "../store/spec.ts";
import { encodeFileName } from "../store/vault-place.ts";
import { writeWhole } from "../store/write.ts";
import { showCommand } from "../text/template.ts";
import type { Coordinator } from "./coordinator.ts";
import type { Job } from "./jobs.ts";
import { forgetBusy } from "./pool.ts";
import type { Questions } from "./questions.ts";
import type { Stage } from "./stage.ts";

const WHAT_NOW = [AGAIN, LEAVE];

/** Puts questions of a spec's agents, and of the run itself, into the spec's inbox. `request` is the user's own. */
export function askUser(
  stage: Stage,
  request: Request,
  coordinator: Pick<Coordinator, "spec" | "retry" | "list">,
): Questions {
  const { spec } = coordinator;
  const told = new Set<number>();
  const announce = ({ id, kind, task, text, options }: InboxEntry): void => {
    if (told.has(id)) return;
    told.add(id);
    if (kind === "skip") stage.emit({ kind: "skipped", spec: spec.name, task });
    else stage.emit({ kind: "question", spec: spec.name, task, id, text, options });
  };

  /** Includes what earlier runs asked, unless its task is done meanwhile. */
  function tell(): void {
    for (const item of readInboxes([spec])) {
      const { id, kind, answer = "" } = item.entry;
      if (isPending(item)) announce(item.entry);
      else if (told.delete(id) && kind === "question" && !isOpen(item.entry))
        stage.emit({ kind: "answered", spec: spec.name, id, answer });
    }
  }

  /** Returns whether the job waits for the answer. */
  function record(job: Job, question: Omit<NewEntry, "kind" | "task" | "run">): boolean {
    const asked = { ...question, task: job.id, run: stage.run };
    const { entry } = recordQuestion(spec, asked, request.now(), listSpecsEverywhere(request));
    if (isOpen(entry)) announce(entry);
    return isOpen(entry);
  }

  return {
    open(job, root) {
      const folder = join(root, shownPath(spec.project, spec.folder));
      const file = join(folder, `.ask-${encodeFileName(job.id)}.jsonl`);
      const answers = `${file}${ANSWERS_ENDING}`;
      return {
        env: { [ASK_FILE]: file },
        ready() {
          clear(file, answers);
          const decided = coordinator.list?.decided?.get(job.id) ?? [];
          if (decided.length > 0) writeWhole(answers, formatAnswers(decided));
        },
        take() {
          const asks = readText(file, MAX_BYTES.document);
          const asked = asks.kind === "ok" ? parseAsked(asks.text) : [];
          clear(file, answers);
          return asked
            .map(({ text, options }) =>
              record(job, { text, options: options.length === 0 ? options : [...options, LEAVE] }),
            )
            .includes(true);
        },
      };
    },
    ask: (job, question) => record(job, { options: WHAT_NOW, ...question }),
    askAgain: (job, about, text) =>
      void record(job, { about, text, options: WHAT_NOW, isAgain: true }),
    tell,
    applyAnswers() {
      tell();
      // What is left is skipped since it was said; any other answer goes to the next attempt.
      const answered = readInbox(spec).entries.filter(
        (entry) => entry.answer !== LEAVE && isAnsweredSinceTried(spec, entry),
      );
      for (const entry of answered) {
        if (entry.answer === REPLACE && entry.verify !== undefined) {
          const made = amendVerify(byUser(request), spec, entry.task, entry.verify, "as you said");
          const command = showCommand(entry.verify, 200);
          const text = `${entry.task}: its Verify was replaced by \`${command}\``;
          stage.emit({ kind: "note", text: made.kind === "refused" ? made.why : text });
        }
        coordinator.retry(entry.task);
        stage.pool = forgetBusy(stage.pool);
      }
      return answered.length > 0;
    },
    hasFailures: () =>
      readInbox(spec).entries.some(
        (one) =>
          isOpen(one) && one.options.includes(AGAIN) && !isDoubted(readAllEntries(spec), one.task),
      ),
  };
}

/** Answers come from the user or their script, even if someone else started the run. */
const byUser = (request: Request): Request => ({
  ...request,
  caller: { ...request.caller, authority: "user" },
});

/** Whether the question was answered, or the skip taken back, after the last attempt at its task. */
function isAnsweredSinceTried(spec: Spec, { run, kind, task, answeredAt }: InboxEntry): boolean {
  const isOurs = run !== undefined || kind === "skip";
  if (!isOurs || answeredAt === undefined) return false;
  return !readAllEntries(spec).some(
    (entry) => entry.task === task && TRIED.has(entry.event) && entry.at > answeredAt,
  );
}

const TRIED: ReadonlySet<Entry["event"]> = new Set(["delegated", "skipped", "done", "accepted"]);

function clear(...files: readonly string[]): void {
  for (const file of files) rmSync(file, { force: true });
}
