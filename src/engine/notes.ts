import { relatedSpecs } from "../codemap/related.ts";
import progressTemplate from "../prompts/templates/progress.md";
import type { Raw, State } from "../run/state.ts";
import { readIntent } from "../spec/classify-intent.ts";
import { describeIntent, INTENT_IDS, type IntentId, type SpecIntent } from "../spec/intent.ts";
import { readGoal } from "../store/documents.ts";
import { hasProgress, writeProgress, writeProgressSection } from "../store/progress.ts";
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
  const about: State = said === undefined ? {} : { intent: said, intentBy: "user" };
  const found = readIntent(goal, about);
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
      intent: formatIntent(spec, found),
      related:
        related
          .map(({ name, relevance, reason }) => `- ${name} [${relevance}]: ${reason}`)
          .join("\n") || "None.",
    }),
  );
  return {
    intent: found.intent.id,
    ...about,
    ...(related.length > 0 ? { relatedSpecs: related } : {}),
  };
}

/** The same for a spec that has none: people, other tools and older versions create them so. */
export const beginNotes = (request: Request, spec: Spec, intent?: IntentId): Raw =>
  hasProgress(spec) ? {} : writeNotes(request, spec, { goal: readGoal(spec), intent });

/** As `.progress.md` says it. */
const formatIntent = ({ project }: Spec, found: SpecIntent): string =>
  `${describeIntent(found).replace(/^looks/, "Looks")}; \`${project.layout.plugin} set intent ${INTENT_IDS.join("|")}\` changes it.`;

/** Says in the notes that the intent has changed. */
export const noteIntent = (spec: Spec, found: SpecIntent): string | undefined =>
  writeProgressSection(spec, "Intent", formatIntent(spec, found));

/** A heading in the goal would end its section. */
const asText = (goal: string): string =>
  clean(goal)
    .trim()
    .replace(/^(?=#{1,2}\s)/gm, "\\");
