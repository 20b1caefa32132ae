import { type Layout, makePlace, type Place, type SpecFiles, specFiles } from "./place.ts";

export { fewLayouts, type Layout, layouts, oneLayout } from "./place.ts";

const SPEC = "demo";
const PROGRESS = "# Progress\n\nkept whatever happens\n";

/** A place with one spec, ready to be executed. */
export interface Project extends Place, SpecFiles {
  readonly ids: readonly string[];
}

export function makeProject(
  layout: Layout,
  count: number,
  tasks: (ids: readonly string[]) => string = tasksText,
): Project {
  const folder = `${layout.specs}/${SPEC}`;
  const ids = Array.from({ length: count }, (_, index) => layout.taskId(index));
  const place = makePlace(layout, {
    [layout.pointer]: `${SPEC}\n`,
    [`${folder}/tasks.md`]: tasks(ids),
    [`${folder}/.progress.md`]: PROGRESS,
  });
  return { ...place, ...specFiles(place, folder), ids };
}

export const keptProgress = PROGRESS;

/** Ten tasks a phase, each with its own text, so that a lost or repeated one is noticed. */
function tasksText(ids: readonly string[]): string {
  const lines = ["# Tasks", ""];
  for (const [index, id] of ids.entries()) {
    if (index % 10 === 0) lines.push(`## Phase ${1 + index / 10}: Part ${1 + index / 10}`, "");
    lines.push(`- [ ] ${id} Write part ${id}`, `  - **Do**: write part ${id}`, "");
  }
  return lines.join("\n");
}
