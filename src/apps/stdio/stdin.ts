import { readSync } from "node:fs";
import { codeOf, sleep } from "../../store/read.ts";

const MAX_BYTES = 32 << 20;
/** Usually fits everything that a client sends. */
const FIRST_BYTES = 64 << 10;

export function readInput(): string {
  let bytes = Buffer.allocUnsafeSlow(FIRST_BYTES);
  for (let size = 0; ;) {
    const count = size < MAX_BYTES ? readChunk(bytes, size) : 0;
    if (count === 0) return bytes.toString("utf8", 0, size);
    size += count;
    if (size === bytes.length) bytes = Buffer.concat([bytes], 2 * size);
  }
}

function readChunk(bytes: Buffer, from: number): number {
  for (let tries = 0; ; tries++) {
    try {
      return readSync(0, bytes, from, bytes.length - from, null);
    } catch (error) {
      if (codeOf(error) === "EOF") return 0;
      // Non-blocking standard input: its writer may still be busy, but not for seconds.
      if (codeOf(error) !== "EAGAIN" || tries > 200) throw error;
      sleep(10);
    }
  }
}
