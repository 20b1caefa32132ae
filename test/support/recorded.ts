import { readFileSync } from "node:fs";
import { join } from "node:path";

/** The lines that a real agent printed, kept next to its driver. */
export const recordedRun =
  (driver: string) =>
  (name: string): string[] =>
    readFileSync(join(driver, "recorded", `${name}.jsonl`), "utf8")
      .split("\n")
      .filter((line) => line !== "");
