import { isDiskFull } from "../store/read.ts";

/** Writes lines of a log. */
export interface PatientWriter<T> {
  readonly write: (one: T) => void;
  /** Writes what is left, if there is room by now. */
  readonly flush: () => void;
}

/**
 * A full disk must not end a run because of a line in a log: what cannot be written is kept, in its order, until the
 * next one can be. `mayDrop` says what is not worth that.
 */
export function openPatientWriter<T>(
  write: (one: T) => void,
  mayDrop: (one: T) => boolean = () => false,
): PatientWriter<T> {
  const waiting: T[] = [];
  const flush = (): void => {
    try {
      for (; waiting.length > 0; waiting.shift()) write(waiting[0] as T);
    } catch (error) {
      if (!isDiskFull(error)) throw error;
      const kept = waiting.filter((one) => !mayDrop(one));
      waiting.splice(0, waiting.length, ...kept);
    }
  };
  return {
    write(one) {
      waiting.push(one);
      flush();
    },
    flush,
  };
}
