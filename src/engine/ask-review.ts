import { readRunWork } from "../git/run-work.ts";
import { renderOwnReview, renderReviewOrders } from "../prompts/review.ts";
import { hasDocument } from "../store/documents.ts";
import { readAllEntries } from "../store/spec-files.ts";
import type { Spec } from "../store/spec.ts";
import { quoteForShell, quotePath } from "../text/quote.ts";
import { placesFor } from "./agent-places.ts";

/** What the last reviewer is told: what changed since the first task began, and what it was for. */
export function orderReview(spec: Spec, isDriven = false): string {
  const { requirements } = spec.project.layout;
  const work = readRunWork(spec, readAllEntries(spec));
  const { spec: shown, rules } = placesFor(spec, isDriven);
  return renderReviewOrders(spec.project.layout, shown, {
    ...(rules === undefined ? {} : { rules }),
    requirements: hasDocument(spec, requirements)
      ? quotePath(`${spec.basePath}/${requirements}`)
      : "the goal in .progress.md and tasks.md",
    change:
      work === undefined
        ? "the files that the tasks in tasks.md are about"
        : `\`git diff --no-ext-diff ${work.base} HEAD${withoutSpec(spec)}\``,
  });
}

/** The same for a main agent that works itself. */
export const orderOwnReview = (spec: Spec, total: number): string =>
  renderOwnReview(spec.project.layout, spec, total, orderReview(spec));

/** The spec's own files are not what is reviewed. A name that is more than a name is not put into a command. */
const withoutSpec = ({ basePath }: Spec): string =>
  basePath.startsWith("./") && quotePath(basePath) === basePath
    ? ` -- :/ ${quoteForShell(`:!${basePath.slice(2)}`)}`
    : "";
