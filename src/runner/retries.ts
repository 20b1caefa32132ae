import type { Work } from "./do-job.ts";
import type { Job } from "./jobs.ts";
import type { Slots } from "./slots.ts";

/**
 * Tracks the tasks of a group whose attempt has ended and that are not done: each goes on without waiting for the others,
 * at once, or as soon as the user has answered what it asked.
 */
export function trackOpen({ coordinator, questions }: Work, queue: Slots) {
  const open = new Set<string>();
  const starts = new Map<string, number>();
  const isHeld = (id: string): boolean => coordinator.list?.held?.has(id) === true;
  const isDone = (id: string): boolean =>
    coordinator.list?.tasks.some((task) => task.id === id && task.checked) === true;
  /** Undefined if it is not handed out any more: it has used its attempts, or something has to be fixed first. */
  const find = (id: string): Job | undefined => {
    questions.applyAnswers();
    const due = isHeld(id) ? undefined : coordinator.due();
    return due?.kind === "jobs" ? due.jobs.find((job) => job.id === id) : undefined;
  };
  return {
    isEmpty: () => open.size === 0,
    noteEnded({ id, of }: Job): void {
      const count = (starts.get(id) ?? 0) + 1;
      starts.set(id, count);
      // The engine allows only so many starts of a task between two decisions.
      if (count < of && !isDone(id)) open.add(id);
    },
    /** Takes a task that may go on now. */
    async take(): Promise<Job | undefined> {
      for (const id of open) {
        if (isHeld(id) || !open.delete(id)) continue;
        // In the queue, because other tasks bring their work back to the same list.
        const job = await queue(async () => find(id));
        if (job !== undefined) return job;
      }
      return undefined;
    },
  };
}
