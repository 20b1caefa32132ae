import { writeSync } from "node:fs";
import { codeOf, sleep } from "../../store/read.ts";

/**
 * Writes everything at once. `process.stdout` takes a millisecond to set up, which a hook does not have. A pipe that is
 * full for a moment says EAGAIN; one whose reader is gone matters only to who would go on writing: then it is false.
 */
export function print(fd: 1 | 2, text: string): boolean {
  const bytes = Buffer.from(text);
  for (let written = 0; written < bytes.length;) {
    try {
      written += writeSync(fd, bytes, written);
    } catch (error) {
      if (codeOf(error) !== "EAGAIN") return false;
      sleep(1);
    }
  }
  return true;
}
