import { oneLine } from "../text/template.ts";
import type { RunEvent, RunNews } from "./events.ts";

/** Gets every event of a run, in order: the log, a view, `--json`, notifications. */
export type EventSink = (event: RunEvent) => void;

/**
 * Gives what happens its run, number and time, and passes it to every sink. One that throws never ends the run: it gets
 * the next event too, and the others hear once why it failed.
 */
export function openEmit(
  run: string,
  sinks: readonly EventSink[],
  now: () => string = () => new Date().toISOString(),
): (news: RunNews) => void {
  const failed = new Set<EventSink>();
  let seq = 0;
  return function emit(news) {
    const event = { run, seq: ++seq, at: now(), ...news } as RunEvent;
    const errors = sinks.flatMap((sink) => {
      try {
        sink(event);
        return [];
      } catch (error) {
        const isNew = !failed.has(sink);
        failed.add(sink);
        return isNew ? [error] : [];
      }
    });
    // Only now, so that every sink gets the events in their order.
    for (const error of errors)
      emit({ kind: "note", text: `an event was not passed on: ${oneLine(String(error), 300)}` });
  };
}
