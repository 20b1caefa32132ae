import { type EpicPlace, findActiveEpic, findEpic, listEpics, readEpic } from "../epic/files.ts";
import type { Epic } from "../epic/model.ts";
import { EPIC_FILES } from "../layouts/layout.ts";
import type { Project } from "../store/project.ts";
import { oneLine } from "../text/template.ts";
import { Refusal } from "./refusal.ts";
import type { Request } from "./request.ts";
import { resolveProject } from "./resolve-spec.ts";

/** The named epic, or the active one, or the only one there is. */
export function resolveEpic(request: Request, name: string | undefined): EpicPlace {
  const project = resolveProject(request);
  const found = name === undefined ? findActiveEpic(project) : findEpic(project, name);
  if (found.kind === "ok") return found.place;
  const all = listEpics(project);
  if (found.kind === "none" && found.unset === true && all.length === 1) return all[0] as EpicPlace;
  const isWrong = found.kind === "refused";
  const kind = isWrong ? (name === undefined ? "broken" : "usage") : "missing";
  throw new Refusal(kind, found.why, sayOthers(request.program, project));
}

export function sayOthers(program: string, project: Project): string {
  const names = listEpics(project).map((place) => place.name);
  return names.length === 0
    ? `${program} epic new <name> <goal> makes one`
    : `there are: ${names.join(", ")}; ${program} epic switch <name> chooses one`;
}

export function epicOf(request: Request, place: EpicPlace): Epic {
  const file = readEpic(place);
  if (file.kind === "ok") return file.epic;
  throw file.kind === "absent"
    ? new Refusal(
        "missing",
        `epic "${place.name}" has no state`,
        `${request.program} epic new ${place.name} <goal> creates it; other files stay`,
      )
    : new Refusal(
        "broken",
        `the state of epic "${place.name}" cannot be used: ${file.why}`,
        sayRestore(request.program, place),
      );
}

/** Nothing can rebuild it: only this file says who waits for whom. */
export const sayRestore = (program: string, { name, basePath }: EpicPlace): string =>
  `fix or restore ${basePath}/${EPIC_FILES.state}, or remove it and start again with ${program} epic new ${name} <goal>; epic.md stays`;

/** A cycle gets into the state only if someone writes it there by hand. */
export const sayUntie = (program: string, epic: string, cycle: readonly string[]): string =>
  `${program} epic remove ${oneLine(cycle[0] ?? "")} --unlink --epic ${epic}, then add it again without the cycle`;
