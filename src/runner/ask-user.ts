import { rmSync } from "node:fs";
import { join } from "node:path";
import { recordQuestion } from "../engine/inbox.ts";
import { formatAnswers, parseAsked } from "../run/asked.ts";
import { ANSWERS_ENDING, ASK_FILE } from "../run/driven.ts";
import { type InboxEntry, isOpen } from "../run/inbox.ts";
import type { Now } from "../run/loop.ts";
import { readInbox } from "../store/inbox.ts";
import { MAX_BYTES, readText } from "../store/read.ts";
import { type Spec, shownPath } from "../store/spec.ts";
import { encodeFileName } from "../store/vault-place.ts";
import { writeWhole } from "../store/write.ts";
import type { Job } from "./coordinator.ts";
import type { Questions } from "./questions.ts";
import type { Stage } from "./stage.ts";

/** Questions of a spec's agents, and of the run itself, go to the spec's inbox. */
export function askUser(stage: Stage, spec: Spec, now: () => Now): Questions {
  const failures = new Set<number>();
  const told = new Set<number>();

  function record(job: Job, text: string, options: readonly string[]): InboxEntry {
    const asked = { task: job.id, text, options, run: stage.run };
    const { entry } = recordQuestion(spec, asked, now());
    if (!told.has(entry.id))
      stage.emit({
        kind: "question",
        spec: spec.name,
        task: job.id,
        id: entry.id,
        text: entry.text,
        options: entry.options,
      });
    told.add(entry.id);
    return entry;
  }

  return {
    open(job, root) {
      const folder = join(root, shownPath(spec.project, spec.folder));
      const file = join(folder, `.ask-${encodeFileName(job.id)}.jsonl`);
      const answers = `${file}${ANSWERS_ENDING}`;
      clear(file, answers);
      const decided = readInbox(spec).entries.flatMap(({ kind, task, text, answer }) =>
        kind === "question" && task === job.id && answer !== undefined
          ? [{ question: text, answer }]
          : [],
      );
      if (decided.length > 0) writeWhole(answers, formatAnswers(decided));
      return {
        env: { [ASK_FILE]: file },
        take() {
          const said = readText(file, MAX_BYTES.document);
          const asked = said.kind === "ok" ? parseAsked(said.text) : [];
          clear(file, answers);
          return asked
            .map(({ text, options }) => record(job, text, options))
            .filter(isOpen)
            .map(({ text }) => text);
        },
      };
    },
    ask(job, text, options) {
      failures.add(record(job, text, options).id);
    },
    hasFailures: () => readInbox(spec).entries.some((one) => isOpen(one) && failures.has(one.id)),
  };
}

function clear(...files: readonly string[]): void {
  for (const file of files) rmSync(file, { force: true });
}
