import type { Project } from "../store/project.ts";
import { reservedIn } from "../store/spec.ts";
import { Refusal } from "./refusal.ts";

/** For a name that somebody chose; one that is made of something else gets a number instead. */
export function refuseReserved(project: Project, name: string): void {
  if (!reservedIn(project).includes(name.toLowerCase())) return;
  throw new Refusal(
    "usage",
    `"${name}" cannot be the name of a ${project.layout.unit}: that folder holds something else`,
    `choose another name, like ${name}-page`,
  );
}
