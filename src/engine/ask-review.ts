import { readRunWork } from "../git/run-work.ts";
import { renderOwnReview, renderReviewOrders } from "../prompts/review.ts";
import { hasDocument } from "../store/documents.ts";
import { readRules } from "../store/project-rules.ts";
import { readAllEntries, readDisk } from "../store/spec-files.ts";
import type { Spec } from "../store/spec.ts";
import { quoteForShell, quotePath } from "../text/quote.ts";

/** What the last reviewer is told: what changed since the first task began, and what it was for. */
export function orderReview(spec: Spec): string {
  const { requirements } = spec.project.layout;
  const work = readRunWork(spec, readAllEntries(spec));
  const rules = readRules(spec.project);
  const { tasks } = readDisk(spec);
  const decided = tasks.kind === "ok" ? tasks.list.decided : undefined;
  return renderReviewOrders(spec.project.layout, spec, {
    ...(rules === undefined ? {} : { rules }),
    ...(decided === undefined ? {} : { decided }),
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
