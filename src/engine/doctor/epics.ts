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
import type { Diagnostic } from "../../text/diagnostic.ts";
import { sayOthers, sayRestore, sayUntie } from "../resolve-epic.ts";

export const checkEpics = (project: Project): Diagnostic[] => [
  ...checkPointer(project),
  ...listEpics(project).flatMap(checkEpic),
];

function checkPointer(project: Project): Diagnostic[] {
  const found = findActiveEpic(project);
  const target = shownPath(project, epicPointer(project));
  if (found.kind === "ok")
    return [
      {
        severity: "ok",
        code: "epic-pointer",
        message: `active epic: ${found.place.basePath}`,
        target,
      },
    ];
  if (found.kind === "none" && found.unset === true) return [];
  const fix = `${sayOthers(project.layout.plugin, project)}; or remove ${target}`;
  return [{ severity: "error", code: "epic-pointer", message: found.why, target, fix }];
}

function checkEpic(place: EpicPlace): Diagnostic[] {
  const { plugin } = place.project.layout;
  const target = `${place.basePath}/${EPIC_FILES.state}`;
  const file = readEpic(place);
  if (file.kind === "absent") return [];
  if (file.kind === "corrupt") {
    const message = `the epic's state cannot be used: ${file.why}`;
    return [{ severity: "error", code: "epic", message, target, fix: sayRestore(plugin, place) }];
  }
  return findEpicCycles(file.epic.specs).map((cycle) => ({
    severity: "error",
    code: "epic-cycle",
    message: `these specs depend on each other: ${formatCycle(cycle)}`,
    target,
    fix: sayUntie(plugin, place.name, cycle),
  }));
}
