import { readSync } from "node:fs";
import { codeOf } from "../store/read.ts";
import { sleep } from "../store/sleep.ts";

const MAX_BYTES = 32 << 20;

export function readInput(): string {
  const chunks: Buffer[] = [];
  for (let size = 0; size < MAX_BYTES;) {
    const chunk = Buffer.allocUnsafe(64 << 10);
    const count = readChunk(chunk);
    if (count === 0) break;
    chunks.push(chunk.subarray(0, count));
    size += count;
  }
  return Buffer.concat(chunks).toString("utf8");
}

function readChunk(chunk: Buffer): number {
  for (let tries = 0; ; tries++) {
    try {
      return readSync(0, chunk);
    } catch (error) {
      if (codeOf(error) === "EOF") return 0;
      // Standard input that does not block: its writer may still be at it, but not for seconds.
      if (codeOf(error) !== "EAGAIN" || tries > 200) throw error;
      sleep(10);
    }
  }
}
