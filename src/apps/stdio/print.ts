import { writeSync } from "node:fs";
import { codeOf } from "../../store/read.ts";
import { sleep } from "../../store/sleep.ts";

/**
 * Writes all of it, at once. `process.stdout` takes a millisecond to set up, which a hook does not have; a pipe
 * that is full for a moment says EAGAIN, and one whose reader has gone is none of our business.
 */
export function print(fd: 1 | 2, text: string): void {
  const bytes = Buffer.from(text);
  for (let written = 0; written < bytes.length;) {
    try {
      written += writeSync(fd, bytes, written);
    } catch (error) {
      if (codeOf(error) !== "EAGAIN") return;
      sleep(1);
    }
  }
}
