import type { Epic } from "../epic/model.ts";
import { EPIC_FILES } from "../layouts/layout.ts";
import type { Project } from "../store/project.ts";
import { type EpicPlace, findActiveEpic, findEpic, listEpics, readEpic } from "../epic/files.ts";
import { CliError, type Context, EXIT } from "../apps/cli/command.ts";
import { openProject } from "./resolve-spec.ts";

/** The epic that is named, or the active one, or the only one there is. */
export function openEpic(context: Context, name: string | undefined): EpicPlace {
  const project = openProject(context);
  const found = name === undefined ? findActiveEpic(project) : findEpic(project, name);
  if (found.kind === "ok") return found.place;
  const all = listEpics(project);
  if (found.kind === "none" && found.unset === true && all.length === 1) return all[0] as EpicPlace;
  const wrong = name === undefined ? EXIT.broken : EXIT.usage;
  throw new CliError(
    found.kind === "refused" ? wrong : EXIT.missing,
    found.why,
    sayOthers(context.program, project),
  );
}

export function sayOthers(program: string, project: Project): string {
  const names = listEpics(project).map((place) => place.name);
  return names.length === 0
    ? `${program} epic new <name> <goal> makes one`
    : `there are: ${names.join(", ")}; ${program} epic switch <name> chooses one`;
}

export function epicOf(context: Context, place: EpicPlace): Epic {
  const file = readEpic(place);
  if (file.kind === "ok") return file.epic;
  throw file.kind === "absent"
    ? new CliError(
        EXIT.missing,
        `epic "${place.name}" has no state`,
        `${context.program} epic new ${place.name} <goal> makes it; what else is there stays`,
      )
    : new CliError(
        EXIT.broken,
        `the state of epic "${place.name}" cannot be used, ${file.why}`,
        sayMend(context.program, place),
      );
}

/** Nothing can rebuild it: who waits for whom stands nowhere else. */
export const sayMend = (program: string, { name, basePath }: EpicPlace): string =>
  `mend or restore ${basePath}/${EPIC_FILES.state}, or remove it and begin with ${program} epic new ${name} <goal>; epic.md stays`;
