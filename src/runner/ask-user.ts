import { amendVerify } from "../engine/amend-verify.ts";
import { isPending, readInboxes, recordQuestion } from "../engine/inbox.ts";
import type { Request } from "../engine/request.ts";
import { listSpecsEverywhere } from "../engine/resolve-spec.ts";
import { AGAIN, LEAVE, REPLACE } from "../run/answers.ts";
import { isDoubted } from "../run/claim/task-history.ts";
import { type InboxEntry, isOpen } from "../run/inbox.ts";
import type { Entry } from "../run/journal.ts";
import { readInbox } from "../store/inbox.ts";
import { readAllEntries } from "../store/spec-files.ts";
import type { Spec } from "../store/spec.ts";
import { showCommand } from "../text/template.ts";
import type { Coordinator } from "./coordinator.ts";
import type { Job } from "./jobs.ts";
import { forgetBusy } from "./pool.ts";
import type { Questions } from "./questions.ts";
import type { Stage } from "./stage.ts";

const MAX_TIMES = 1000;

/** Puts questions of a spec's agents, and of the run itself, into the spec's inbox. `request` is the user's own. */
export function askUser(
  stage: Stage,
  request: Request,
  coordinator: Pick<Coordinator, "spec" | "retry">,
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

  function record(job: Job, text: string, options: readonly string[], verify?: string): InboxEntry {
    const proposed = verify === undefined ? {} : { verify };
    const asked = { task: job.id, text, options, run: stage.run, ...proposed };
    const { entry } = recordQuestion(spec, asked, request.now(), listSpecsEverywhere(request));
    if (isOpen(entry)) announce(entry);
    return entry;
  }

  const ask: Questions["ask"] = (job, text, options = [AGAIN, LEAVE], verify) => {
    return isOpen(record(job, text, options, verify));
  };

  return {
    pass: (job, asked) =>
      asked
        .map(({ text, options }) =>
          record(job, text, options.length === 0 ? options : [...options, LEAVE]),
        )
        .some(isOpen),
    ask,
    askAgain(job, text, options) {
      // The inbox knows a question by its text and does not ask an answered one again.
      for (let time = 1; time <= MAX_TIMES; time++)
        if (ask(job, time === 1 ? text : `Again (${time}): ${text}`, options)) return;
    },
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
