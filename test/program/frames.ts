import { readSync, writeSync } from "node:fs";

/** The variable that names the program of `warm-main.ts`. In a full run there is none, and each run is a process. */
export const WARM = "TEST_WARM";

/** Values that two processes send each other through a pipe, each with its length in front. */
export function send(fd: number, value: unknown): void {
  const text = Buffer.from(JSON.stringify(value));
  const head = Buffer.alloc(4);
  head.writeUInt32LE(text.length);
  for (const bytes of [head, text]) {
    for (let sent = 0; sent < bytes.length;) sent += writeSync(fd, bytes, sent);
  }
}

/** Waits for one; none comes any more where the other end has been closed. */
export function receive<T>(fd: number): T | undefined {
  const head = take(fd, 4);
  const text = head === undefined ? undefined : take(fd, head.readUInt32LE());
  return text === undefined ? undefined : (JSON.parse(text.toString()) as T);
}

function take(fd: number, length: number): Buffer | undefined {
  const bytes = Buffer.alloc(length);
  for (let size = 0; size < length;) {
    const count = readSync(fd, bytes, size, length - size, null);
    if (count === 0) return undefined;
    size += count;
  }
  return bytes;
}
