import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { TestProject } from "vitest/node";
import { renderTally } from "./tally.ts";

/** One table at the end, whichever process tried what. */
export default function setup(project: TestProject): () => void {
  const folder = mkdtempSync(join(tmpdir(), "smart-ralph-faults-"));
  const path = join(folder, "tally.jsonl");
  writeFileSync(path, "");
  project.provide("tally", path);
  return () => {
    console.log(`\n${renderTally(path)}\n`);
    rmSync(folder, { recursive: true, force: true });
  };
}
