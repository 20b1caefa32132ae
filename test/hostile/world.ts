import fs from "node:fs";
import { syncBuiltinESMExports } from "node:module";

export interface Output {
  /** From now on, nothing is printed … */
  readonly start: () => void;
  /** … until now: this would have been. */
  readonly stop: () => string;
  readonly restore: () => void;
}

/**
 * Takes what the program would print, and lets it not wait: an unusable state is read again and again before it is
 * given up, which is right for a user and too long for a million inputs.
 */
export function watchOutput(): Output {
  const { writeSync } = fs;
  const { wait } = Atomics;
  let printed: string | undefined;
  const write = (fd: number, data: Buffer, from?: number): number => {
    if (fd > 2 || printed === undefined) return writeSync(fd, data, from ?? 0);
    const bytes = data.subarray(from ?? 0);
    printed += bytes.toString();
    return bytes.length;
  };
  fs.writeSync = write as typeof writeSync;
  Atomics.wait = () => "timed-out";
  syncBuiltinESMExports();
  return {
    start: () => void (printed = ""),
    stop() {
      const text = printed ?? "";
      printed = undefined;
      return text;
    },
    restore() {
      fs.writeSync = writeSync;
      Atomics.wait = wait;
      syncBuiltinESMExports();
    },
  };
}
