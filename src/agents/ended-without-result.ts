import { oneLine } from "../text/template.ts";
import type { Exit } from "./process/start.ts";

/** How an agent ended that reported no result. */
export function endedWithoutResult({ code, signal, stderr }: Exit): string {
  const how = signal === null ? `it exited with ${code}` : `it was killed by ${signal}`;
  return `${how} without a result${stderr === "" ? "" : `: ${oneLine(stderr, 500)}`}`;
}
