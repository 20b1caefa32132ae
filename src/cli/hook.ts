import { readSync } from "node:fs";
import { layouts, slash } from "../core/layout.ts";
import { claude } from "../hosts/claude.ts";
import { codeOf } from "../store/read.ts";
import { sleep } from "../store/sleep.ts";
import { handlers, log } from "./handlers.ts";
import { print } from "./print.ts";

const MAX_INPUT_BYTES = 32 << 20;

/** `hook.cjs <layout> <event>`: what the client runs. Whatever goes wrong in here, the agent may stop. */
function main(): void {
  const layout = layouts.find(({ id }) => id === process.argv[2]);
  const handler = handlers[process.argv[3] ?? ""];
  if (layout === undefined || handler === undefined) return;
  try {
    const answer = handler(layout, claude, parseJson(readInput()), process.env);
    if (answer !== "") print(1, answer);
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    log(
      layout,
      `${why.split("\n", 1)[0]}; the loop lets go here, ${slash(layout, "status")} shows where it stands`,
    );
  }
}

function readInput(): string {
  const chunks: Buffer[] = [];
  for (let size = 0; size < MAX_INPUT_BYTES;) {
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

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

main();
