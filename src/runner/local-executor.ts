import { headOf } from "../git/own-tree.ts";
import type { Spec } from "../store/spec.ts";
import { renderAside } from "./aside-line.ts";
import { runAttempt } from "./attempt.ts";
import type { Executor } from "./executor.ts";
import type { Ground } from "./ground.ts";
import { isTask } from "./jobs.ts";
import { lostIn } from "./lost.ts";
import { openAsking } from "./open-asking.ts";
import type { Stage } from "./stage.ts";
import { watchWork } from "./watch-work.ts";

/** Does orders on this machine: in a tree that is there already, with agents that it starts. */
export const localExecutor = (stage: Stage, spec: Spec, ground: Ground): Executor => ({
  async execute(order, { emit, signal }) {
    const { cwd, writable, isOwn = false, edits } = ground;
    const job = { id: order.task, role: order.role, attempt: order.attempt };
    const isMerge = order.role === "merge";
    const leave = ground.begin(job);
    const asking = openAsking(spec, order, cwd);
    asking.ready();
    const hasWorked = watchWork(cwd, spec, order.files);
    const end = await runAttempt(stage, {
      order,
      emit,
      signal,
      // What an earlier start began may have been set aside.
      prompt: () => [order.prompt, ...(isMerge ? [] : renderAside(spec, job))].join("\n\n"),
      place: { cwd, writable, isOwn, env: isMerge ? {} : asking.env },
      noteEdits: (files) => edits?.note(job.id, files),
      async rewind() {
        await ground.rewind(job.id);
        asking.ready();
      },
    });
    const isLost = lostIn({ signal }) !== undefined;
    if (isLost) return { ...end, questions: [], commit: null, hasWorked: false };
    const worked = isTask(job) && hasWorked();
    const { notes, failed: rejected } = leave();
    for (const text of notes) emit({ kind: "note", text });
    const questions = asking.take();
    // It was cut off: its leftovers would be blamed on the next attempt.
    if (end.ending.kind !== "turn") await ground.rewind(job.id);
    const head = headOf(cwd) ?? null;
    return {
      ...end,
      questions,
      commit: head === order.base ? null : head,
      hasWorked: worked,
      ...(rejected === undefined ? {} : { rejected }),
      ...(edits === undefined ? {} : { edited: [...edits.of(job.id)] }),
    };
  },
});
