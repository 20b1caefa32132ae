import { readSync, writeSync } from "node:fs";

/** The variable with the program of `warm-main.ts`. It is not set in a full run, where each call starts a process. */
export const WARM = "TEST_WARM";

/** Sends a value to another process through a pipe, after its length. */
export function send(fd: number, value: unknown): void {
  const text = Buffer.from(JSON.stringify(value));
  const head = Buffer.alloc(4);
  head.writeUInt32LE(text.length);
  for (const bytes of [head, text]) {
    for (let sent = 0; sent < bytes.length;) sent += writeSync(fd, bytes, sent);
  }
}

/** Waits for a value; undefined once the other end has been closed. */
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
