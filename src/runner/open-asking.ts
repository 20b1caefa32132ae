import { rmSync } from "node:fs";
import { resolve } from "node:path";
import { type AskedLine, formatAnswers, parseAsked } from "../run/asked.ts";
import { ANSWERS_ENDING, ASK_FILE } from "../run/driven.ts";
import { MAX_BYTES, readText } from "../store/read.ts";
import type { Spec } from "../store/spec.ts";
import { encodeFileName } from "../store/vault-place.ts";
import { writeWhole } from "../store/write.ts";
import type { WorkOrder } from "./executor.ts";

/** Lets the agents of an attempt ask, through files in their tree. */
export function openAsking(
  { basePath }: Pick<Spec, "basePath">,
  { task, decided }: Pick<WorkOrder, "task" | "decided">,
  root: string,
) {
  const file = resolve(root, basePath, `.ask-${encodeFileName(task)}.jsonl`);
  const answers = `${file}${ANSWERS_ENDING}`;
  const clear = (): void => {
    for (const one of [file, answers]) rmSync(one, { force: true });
  };
  return {
    env: { [ASK_FILE]: file },
    /** Call before each start: clears old questions, and writes the user's decisions for the agent to read. */
    ready(): void {
      clear();
      if (decided.length > 0) writeWhole(answers, formatAnswers(decided));
    },
    /** Takes what was asked, once the last agent has ended. */
    take(): readonly AskedLine[] {
      const asks = readText(file, MAX_BYTES.document);
      clear();
      return asks.kind === "ok" ? parseAsked(asks.text) : [];
    },
  };
}
