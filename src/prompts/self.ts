import type { Edition, Worker } from "../layouts/layout.ts";
import { fill, type Values } from "../text/template.ts";
import { plainWords } from "./layout-words.ts";
import rulesTemplate from "./self-rules.md";

type Self = Extract<Worker, { kind: "self" }>;

/** How a main agent that works itself does a task. */
export const renderRules = (layout: Edition, worker: Self, words: Values): string =>
  fill(rulesTemplate, {
    ...words,
    ...plainWords(layout),
    report:
      worker.reports === "stop"
        ? "end your turn with a report"
        : `report with \`${layout.voice.program} done <id> --report - <<'REPORT'\` … \`REPORT\` and go on with what that prints (it runs Verify, so give it time; if your shell cuts it off, end your turn with the report instead)`,
  }).trimEnd();
