import type { Work } from "./do-job.ts";
import type { Job } from "./jobs.ts";
import type { Questions } from "./questions.ts";
import type { Slots } from "./slots.ts";

/** Tasks of the group that wait for the user: once they are answered, they need not wait for the others. */
export function openAnswered({ coordinator, questions }: Work, queue: Slots) {
  const raised = new Set<string>();
  const asked = new Set<string>();
  const starts = new Map<string, number>();
  const isHeld = (id: string): boolean => coordinator.list?.held?.has(id) === true;
  const heard = <T>({ id }: Job, isAsked: (said: T) => boolean, said: T): T => {
    if (isAsked(said)) raised.add(id);
    return said;
  };
  /** The same, but it is known who has asked: the answer may be there before the attempt is over. */
  const hearing: Questions = {
    ...questions,
    open(job, root) {
      const asking = questions.open(job, root);
      return { ...asking, take: () => heard(job, (all) => all.length > 0, asking.take()) };
    },
    ask: (job, ...rest) => heard(job, (isOpen) => isOpen, questions.ask(job, ...rest)),
    askAgain: (job, ...rest) => heard(job, () => true, questions.askAgain(job, ...rest)),
  };
  return {
    questions: hearing,
    isEmpty: () => asked.size === 0,
    /** Its attempt is over. */
    note({ id, of }: Job): void {
      const count = (starts.get(id) ?? 0) + 1;
      starts.set(id, count);
      // The engine starts a task only so often before it decides again.
      if (raised.delete(id) && count < of) asked.add(id);
    },
    /** One that may go on now. */
    async take(): Promise<Job | undefined> {
      const id = [...asked].find((one) => !isHeld(one));
      if (id === undefined) return undefined;
      asked.delete(id);
      // Others bring their work back to the same list.
      return queue(async () => {
        questions.applyAnswers();
        const due = isHeld(id) ? undefined : coordinator.due();
        return due?.kind === "jobs" ? due.jobs.find((job) => job.id === id) : undefined;
      });
    },
  };
}
