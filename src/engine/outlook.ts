import { describeDoubtful, listDoubtful, type Outlook, planOutlook } from "../facts/outlook.ts";
import { type Agreement, agreedDesign } from "../run/agreement.ts";
import { findGit } from "../store/git-files.ts";
import type { Project } from "../store/project.ts";
import { readTasks } from "../store/spec-files.ts";
import type { Spec } from "../store/spec.ts";
import { readAgreement } from "../store/vault.ts";
import type { TaskList } from "../tasks/model.ts";
import { quoteName } from "../text/quote.ts";
import { oneLine } from "../text/template.ts";
import { Refusal } from "./refusal.ts";
import type { Request } from "./request.ts";

/** What can come of a list at best, if it is run as it was agreed to. */
export const outlookOf = (
  { root, settings }: Pick<Project, "root" | "settings">,
  list: TaskList,
  agreed: Agreement | undefined,
): Outlook =>
  planOutlook(list, {
    settings,
    hasGit: findGit(root) !== undefined,
    designOf: (task) => agreedDesign(agreed, task),
  });

/** The same for a run that has begun; undefined if nothing is left to do. */
export function readOutlook(spec: Spec): Outlook | undefined {
  const file = readTasks(spec);
  if (file.kind !== "ok" || file.list.tasks.every(({ checked }) => checked)) return undefined;
  return outlookOf(spec.project, file.list, readAgreement(spec));
}

/** The spec as if the settings said `strict`. */
export const asStrict = (spec: Spec): Spec => ({
  ...spec,
  project: { ...spec.project, settings: { ...spec.project.settings, strict: true } },
});

/** With `strict`, refuses to begin what would end with tasks that nothing proves. */
export function requireProvable(request: Request, spec: Spec, outlook: Outlook): void {
  const { obstacle, open } = outlook;
  const doubtful = listDoubtful(outlook);
  const isFine = doubtful.length === 0 && (obstacle === null || open > 0);
  if (!spec.project.settings.strict || isFine) return;
  if (obstacle !== null)
    throw new Refusal(
      "refused",
      `strict is on, and nothing can be proven, because ${obstacle}`,
      "change that, or begin without strict",
    );
  throw new Refusal(
    "refused",
    `strict is on, and these tasks cannot be proven: ${oneLine(describeDoubtful(doubtful), 1000)}`,
    `give each a Verify that fails until its work is done (${request.program} tasks lint ${quoteName(spec.name)} says how), or begin without strict`,
  );
}
