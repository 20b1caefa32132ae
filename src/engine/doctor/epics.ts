import {
  type EpicPlace,
  epicPointer,
  findActiveEpic,
  listEpics,
  readEpic,
} from "../../epic/files.ts";
import { findEpicCycles } from "../../epic/order.ts";
import { EPIC_FILES } from "../../layouts/layout.ts";
import type { Project } from "../../store/project.ts";
import { shownPath } from "../../store/spec.ts";
import { formatCycle } from "../../tasks/order/cycles.ts";
import { type Diagnostic, findingsAbout } from "../../text/diagnostic.ts";
import { sayOthers, sayRestore, sayUntie } from "../resolve-epic.ts";

export const checkEpics = (project: Project): Diagnostic[] => [
  ...checkPointer(project),
  ...listEpics(project).flatMap(checkEpic),
];

function checkPointer(project: Project): Diagnostic[] {
  const found = findActiveEpic(project);
  const target = shownPath(project, epicPointer(project));
  const { ok, error } = findingsAbout("epic-pointer", target);
  if (found.kind === "ok") return [ok(`active epic: ${found.place.basePath}`)];
  if (found.kind === "none" && found.unset === true) return [];
  return [error(found.why, `${sayOthers(project.layout.plugin, project)}; or remove ${target}`)];
}

function checkEpic(place: EpicPlace): Diagnostic[] {
  const { plugin } = place.project.layout;
  const target = `${place.basePath}/${EPIC_FILES.state}`;
  const file = readEpic(place);
  if (file.kind === "absent") return [];
  if (file.kind === "corrupt") {
    const message = `the epic's state cannot be used: ${file.why}`;
    return [findingsAbout("epic", target).error(message, sayRestore(plugin, place))];
  }
  const { error } = findingsAbout("epic-cycle", target);
  return findEpicCycles(file.epic.specs).map((cycle) =>
    error(
      `these specs depend on each other: ${formatCycle(cycle)}`,
      sayUntie(plugin, place.name, cycle),
    ),
  );
}
