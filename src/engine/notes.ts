import { relatedSpecs } from "../codemap/related.ts";
import progressTemplate from "../prompts/templates/progress.md";
import type { Raw } from "../run/state.ts";
import { classifyIntent, type IntentId, intentOf } from "../spec/intent.ts";
import { readGoal } from "../store/documents.ts";
import { writeProgress } from "../store/progress.ts";
import { listSpecs, type Spec } from "../store/spec.ts";
import { clean, fill } from "../text/template.ts";
import type { Request } from "./request.ts";

export interface Purpose {
  readonly goal: string;
  /** What the user says it is; otherwise the words of the goal decide. */
  readonly intent: IntentId | undefined;
}

/** Begins a spec's notes. Returns what the state needs to know about the goal. */
export function writeNotes(request: Request, spec: Spec, { goal, intent: said }: Purpose): Raw {
  const classified = classifyIntent(goal);
  const intent = said === undefined ? classified.intent : intentOf(said);
  const why =
    said === undefined
      ? `by its words (${classified.matched.join(", ") || "none that tell"}; ${classified.confidence} confidence)`
      : "as the user said";
  const others = listSpecs(spec.project)
    .filter(({ folder }) => folder !== spec.folder)
    .map((other) => ({ name: other.name, goal: readGoal(other) }));
  const related = relatedSpecs(goal, others, 3);
  writeProgress(
    spec,
    fill(progressTemplate, {
      name: spec.name,
      date: request.now().at.slice(0, 10),
      goal: asText(goal),
      intent: `${intent.id}, ${why}`,
      related:
        related
          .map(({ name, relevance, reason }) => `- ${name} [${relevance}]: ${reason}`)
          .join("\n") || "None.",
    }),
  );
  return { intent: intent.id, ...(related.length > 0 ? { relatedSpecs: related } : {}) };
}

/** A heading in the goal would end its section. */
const asText = (goal: string): string =>
  clean(goal)
    .trim()
    .replace(/^(?=#{1,2}\s)/gm, "\\");
