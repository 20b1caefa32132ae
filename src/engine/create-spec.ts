import { existsSync, mkdirSync, readdirSync, rmSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import type { Raw } from "../run/state.ts";
import { makeName, makeUnique, explainBadName, dropNumber } from "../spec/name.ts";
import { withLock } from "../store/lock.ts";
import { makeProjectFolder, writeProjectFile } from "../store/project-file.ts";
import type { Project } from "../store/project.ts";
import { codeOf, type Encoding } from "../store/read.ts";
import { reservedIn, shownPath, type Spec, specAt } from "../store/spec.ts";
import { type Purpose, writeNotes } from "./notes.ts";
import { readNumbers, type Numbers, refuseReserved } from "./numbering.ts";
import { Refusal } from "./refusal.ts";
import type { Request } from "./request.ts";

/** A spec to create. */
export interface NewSpec extends Purpose {
  readonly name: string | undefined;
  /** Whether the name was made from the goal. */
  readonly isProvisional?: boolean;
  /** Exactly that name, or none; otherwise a number may be added to it. */
  readonly exact: boolean;
  /** One of the configured folders; by default where new specs go. */
  readonly folder: string | undefined;
  /** What the user has already written. */
  readonly given: GivenText | undefined;
}

export interface GivenText {
  readonly text: string;
  readonly encoding: Encoding;
}

export interface CreatedSpec {
  readonly spec: Spec;
  /** What the state needs to know about it. */
  readonly state: Raw;
}

/** Creates a spec's folder and notes, or nothing at all. Never overwrites anything. */
export function createSpec(request: Request, project: Project, wanted: NewSpec): CreatedSpec {
  // Leaves no empty specs folder behind, even if refused.
  freeName(request, project, wanted);
  const spec = claim(request, project, folderFor(project, wanted.folder), wanted);
  return orRemove(spec, () => {
    const told = {
      ...writeNotes(request, spec, wanted),
      ...(wanted.name === undefined || wanted.isProvisional === true ? { nameBy: "program" } : {}),
    };
    const { given } = wanted;
    if (given === undefined) return { spec, state: told };
    const path = join(spec.folder, project.layout.given);
    writeProjectFile(project, path, given.text, given.encoding);
    return { spec, state: { ...told, source: "plan" } };
  });
}

/** Does what is left to do for a new spec; if that fails, its folder is removed. */
export function orRemove<T>(spec: Spec, work: () => T): T {
  try {
    return work();
  } catch (error) {
    rmSync(spec.folder, { recursive: true, force: true });
    throw error;
  }
}

/** The name it would get now. Any problem with the requested one is reported before anything is created. */
export function freeName(request: Request, project: Project, wanted: NewSpec): string {
  folderFor(project, wanted.folder);
  return chosenName(project, wanted, takenIn(project), readNumbers(request, project));
}

/** No other session may look up names and create folders at the same time. */
function claim(request: Request, project: Project, folder: string, wanted: NewSpec): Spec {
  const place = dirname(project.pointer);
  const numbers = readNumbers(request, project);
  for (const each of [place, folder]) makeProjectFolder(project, each);
  return withLock(join(place, project.layout.lockFile), () => {
    const taken = takenIn(project);
    for (;;) {
      const name = chosenName(project, wanted, taken, numbers);
      try {
        mkdirSync(join(folder, name));
        return specAt(project, join(folder, name));
      } catch (error) {
        // It exists, though it is not in the list of names: different case, or a folder that cannot be listed.
        if (codeOf(error) !== "EEXIST") throw error;
        taken.push(name);
      }
    }
  });
}

function chosenName(
  project: Project,
  wanted: NewSpec,
  taken: readonly string[],
  numbers: Numbers | undefined,
): string {
  const name = nameOf(project, wanted);
  const { numbered } = project.layout;
  const chosen = numbers?.add(name, taken) ?? makeUnique(name, taken);
  if (!wanted.exact) return chosen;
  const old = taken.find(
    (one) => one.toLowerCase() === name || (numbered && dropNumber(one) === name),
  );
  if (old === undefined) return chosen;
  throw new Refusal(
    "refused",
    `${project.layout.unit} "${old}" already exists`,
    `${project.layout.plugin} start ${old} resumes it, start --fresh creates a new one`,
  );
}

function nameOf(project: Project, { name, goal, isProvisional }: NewSpec): string {
  const { layout } = project;
  if (name === undefined) return makeName(goal) ?? layout.unit;
  const wrong = explainBadName(name);
  if (wrong !== undefined) throw new Refusal("usage", wrong.why, wrong.fix);
  // A number, or one after the name, makes another name of it.
  if (isProvisional !== true && !layout.numbered) refuseReserved(project, name);
  return name;
}

/** A folder of another kind blocks the name too, and so does a spec in another configured folder. */
const takenIn = (project: Project): string[] => [
  ...reservedIn(project),
  ...project.specsDirs.flatMap(namesIn),
];

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

function folderFor(project: Project, wanted: string | undefined): string {
  const { root, specsDirs, layout, settings } = project;
  if (wanted !== undefined) {
    const folder = resolve(root, wanted);
    if (specsDirs.includes(folder)) return folder;
    const known = specsDirs.map((one) => shownPath(project, one)).join(", ");
    throw new Refusal(
      "usage",
      `${wanted} is not one of this project's folders for ${layout.unit}s`,
      `these are: ${known}; specs_dirs in ${layout.settingsFile} adds others`,
    );
  }
  const [first] = specsDirs;
  if (settings.specsDirs.length > 0) return first;
  // Where specs already are; otherwise where the layout's own tool would put them.
  const made = specsDirs.find((one) => existsSync(one));
  const isSetUp = layout.setUpBy.some((name) => existsSync(join(root, name)));
  return made ?? (isSetUp ? (specsDirs.at(-1) as string) : first);
}
