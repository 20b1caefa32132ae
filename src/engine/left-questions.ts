import { rmSync } from "node:fs";
import { join } from "node:path";
import { LEAVE } from "../run/answers.ts";
import { type AskedLine, parseAsked } from "../run/asked.ts";
import { ANSWERS_ENDING } from "../run/driven.ts";
import type { InboxEntry } from "../run/inbox.ts";
import type { Now } from "../run/loop.ts";
import { runOf } from "../run/runner-session.ts";
import { readProjectFile } from "../store/project-file.ts";
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

/** Puts questions into the inbox that an agent asked, and whose runner died before it took them. */
export function recordLeft(
  spec: Spec,
  run: string,
  now: Now,
  everywhere: readonly Spec[],
): InboxEntry[] {
  const tasks = readTasks(spec);
  const open = tasks.kind === "ok" ? tasks.list.tasks.filter(({ checked }) => !checked) : [];
  return open.flatMap(({ id }) => {
    const path = askFileIn(spec.folder, id);
    const file = readProjectFile(spec.project, path, MAX_BYTES.document);
    const asked = file.kind === "ok" ? parseAsked(file.text) : [];
    const noted = asked.map(
      (one) => recordQuestion(spec, { task: id, ...offerLeave(one), run }, now, everywhere).entry,
    );
    // Last: what a kill leaves here is taken again, and the inbox knows its questions.
    for (const one of [path, `${path}${ANSWERS_ENDING}`]) rmSync(one, { force: true });
    return noted;
  });
}

/** The same for whoever looks after the kill, before the next run. A look that may not write still looks. */
export function recordLeftByDead(request: Request, specs: readonly Spec[]): void {
  for (const spec of specs) {
    const glance = readGlance(spec);
    const run = runOf(glance.last?.loop.session);
    if (run === undefined || fateIn(glance)?.kind !== "died") continue;
    try {
      faultIn(() => recordLeft(spec, run, request.now(), listSpecsEverywhere(request)));
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
    }
  }
}
