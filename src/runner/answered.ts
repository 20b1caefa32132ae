import type { Work } from "./do-job.ts";
import type { Job } from "./jobs.ts";
import type { Questions } from "./questions.ts";
import type { Slots } from "./slots.ts";

/** Tracks the group's tasks that asked the user something: an answered task goes on without waiting for the others. */
export function trackAnswered({ coordinator, questions }: Work, queue: Slots) {
  const raised = new Set<string>();
  const asked = new Set<string>();
  const starts = new Map<string, number>();
  const isHeld = (id: string): boolean => coordinator.list?.held?.has(id) === true;
  const noteAsked = <T>({ id }: Job, isAsked: (result: T) => boolean, result: T): T => {
    if (isAsked(result)) raised.add(id);
    return result;
  };
  /** The same questions, noting which task asked: the answer may arrive before the attempt is over. */
  const noting: Questions = {
    ...questions,
    open(job, root) {
      const asking = questions.open(job, root);
      return { ...asking, take: () => noteAsked(job, (all) => all.length > 0, asking.take()) };
    },
    ask: (job, ...rest) => noteAsked(job, (isOpen) => isOpen, questions.ask(job, ...rest)),
    askAgain: (job, ...rest) => noteAsked(job, () => true, questions.askAgain(job, ...rest)),
  };
  return {
    questions: noting,
    isEmpty: () => asked.size === 0,
    noteEnded({ id, of }: Job): void {
      const count = (starts.get(id) ?? 0) + 1;
      starts.set(id, count);
      // The engine allows only so many starts of a task between two decisions.
      if (raised.delete(id) && count < of) asked.add(id);
    },
    /** Takes a task that may go on now. */
    async take(): Promise<Job | undefined> {
      const id = [...asked].find((one) => !isHeld(one));
      if (id === undefined) return undefined;
      asked.delete(id);
      // In the queue, because other tasks bring their work back to the same list.
      return queue(async () => {
        questions.applyAnswers();
        const due = isHeld(id) ? undefined : coordinator.due();
        return due?.kind === "jobs" ? due.jobs.find((job) => job.id === id) : undefined;
      });
    },
  };
}
