import { join } from "node:path";
import { LEAVE } from "../run/answers.ts";
import { type AskedLine, parseAsked } from "../run/asked.ts";
import { ANSWERS_ENDING } from "../run/driven.ts";
import { runOf } from "../run/runner-session.ts";
import { readProjectFile, removeProjectFile } from "../store/project-file.ts";
import { faultIn, MAX_BYTES } from "../store/read.ts";
import { readGlance, readTasks } from "../store/spec-files.ts";
import type { Spec } from "../store/spec.ts";
import { encodeFileName } from "../store/vault-place.ts";
import { recordQuestion } from "./inbox.ts";
import { Refusal } from "./refusal.ts";
import type { Request } from "./request.ts";
import { listSpecsEverywhere } from "./resolve-spec.ts";
import { fateIn } from "./standing.ts";

/** The file in which the agent of a task writes its questions, in the spec's folder of the tree where it works. */
export const askFileIn = (folder: string, task: string): string =>
  join(folder, `.ask-${encodeFileName(task)}.jsonl`);

/** Whether a file of a spec's folder is such a file. */
export const isAskFile = (name: string): boolean => /^\.ask-[^/]*\.jsonl$/.test(name);

/** As a question to the user: where there is a choice, the task may also be left. */
export const offerLeave = ({ text, options }: AskedLine): Pick<AskedLine, "text" | "options"> => ({
  text,
  options: options.length === 0 ? options : [...options, LEAVE],
});

/**
 * Puts questions into the inbox that an agent asked, and whose runner died before it took them. An agent may have left
 * anything there, and a look may not be able to write: neither keeps a run or a look from going on.
 */
export function recordLeft(request: Request, spec: Spec, run: string): void {
  const tasks = readTasks(spec);
  const open = tasks.kind === "ok" ? tasks.list.tasks.filter(({ checked }) => !checked) : [];
  for (const { id } of open) {
    const path = askFileIn(spec.folder, id);
    const file = readProjectFile(spec.project, path, MAX_BYTES.document);
    if (file.kind !== "ok") continue;
    try {
      faultIn(() => {
        for (const one of parseAsked(file.text)) {
          const asked = { task: id, ...offerLeave(one), run };
          recordQuestion(spec, asked, request.now(), listSpecsEverywhere(request));
        }
        // Last: after a kill in between it is taken again, and the inbox knows its questions.
        for (const one of [path, `${path}${ANSWERS_ENDING}`]) removeProjectFile(spec.project, one);
      });
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
    }
  }
}

/** The same for whoever looks after the kill, before the next run. */
export function recordLeftByDead(request: Request, specs: readonly Spec[]): void {
  for (const spec of specs) {
    const glance = readGlance(spec);
    const run = runOf(glance.last?.loop.session);
    if (run !== undefined && fateIn(glance)?.kind === "died") recordLeft(request, spec, run);
  }
}
