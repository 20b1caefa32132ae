import { existsSync, mkdirSync, readdirSync, rmSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { nameFrom, numberedName, uniqueName, whyNoName, withoutNumber } from "../spec/name.ts";
import type { Raw } from "../run/state.ts";
import { withLock } from "../store/lock.ts";
import type { Project } from "../store/project.ts";
import { makeProjectFolder, writeProjectFile } from "../store/project-file.ts";
import { codeOf, type Encoding } from "../store/read.ts";
import { shownPath, type Spec, specAt } from "../store/spec.ts";
import { CliError, type Context, EXIT } from "../apps/cli/command.ts";
import { type Purpose, writeNotes } from "./notes.ts";

export interface Wanted extends Purpose {
  readonly name: string | undefined;
  /** That very name, or none; otherwise a number behind it will do. */
  readonly exact: boolean;
  /** One of the folders that are configured; by default where new specs go. */
  readonly folder: string | undefined;
  /** What the user has already written. */
  readonly given: Given | undefined;
}

export interface Given {
  readonly text: string;
  readonly encoding: Encoding;
}

export interface Created {
  readonly spec: Spec;
  /** What the state is to know of it. */
  readonly state: Raw;
}

/** Makes a spec's folder and its notes, or nothing at all. Nothing that exists is ever overwritten. */
export function createSpec(context: Context, project: Project, wanted: Wanted): Created {
  // Also where it is refused, no empty folder of specs stays.
  freeName(project, wanted);
  const spec = claim(project, folderFor(project, wanted.folder), wanted);
  return orRemove(spec, () => {
    const told = writeNotes(context, spec, wanted);
    const { given } = wanted;
    if (given === undefined) return { spec, state: told };
    const path = join(spec.folder, project.layout.given);
    writeProjectFile(project, path, given.text, given.encoding);
    return { spec, state: { ...told, source: "plan" } };
  });
}

/** Does what is left to do for a new spec; a folder with which that fails does not stay. */
export function orRemove<T>(spec: Spec, work: () => T): T {
  try {
    return work();
  } catch (error) {
    rmSync(spec.folder, { recursive: true, force: true });
    throw error;
  }
}

/** The name that it would get now. Whatever is wrong with the wish is said before anything is made. */
export function freeName(project: Project, wanted: Wanted): string {
  folderFor(project, wanted.folder);
  return chosenName(project, wanted, takenIn(project));
}

/** While one session looks which names are taken and makes its folder, no other does. */
function claim(project: Project, folder: string, wanted: Wanted): Spec {
  const place = dirname(project.pointer);
  for (const each of [place, folder]) makeProjectFolder(project, each);
  return withLock(join(place, project.layout.lockFile), () => {
    const taken = takenIn(project);
    for (;;) {
      const name = chosenName(project, wanted, taken);
      try {
        mkdirSync(join(folder, name));
        return specAt(project, join(folder, name));
      } catch (error) {
        // It is there, though the list of names does not tell: written otherwise, or in a folder that cannot be listed.
        if (codeOf(error) !== "EEXIST") throw error;
        taken.push(name);
      }
    }
  });
}

function chosenName(project: Project, wanted: Wanted, taken: readonly string[]): string {
  const name = nameOf(project, wanted);
  const isCounted = project.layout.id === "speckit";
  const chosen = isCounted ? numberedName(name, taken) : uniqueName(name, taken);
  if (!wanted.exact) return chosen;
  const old = taken.find(
    (one) => one.toLowerCase() === name || (isCounted && withoutNumber(one) === name),
  );
  if (old === undefined) return chosen;
  throw new CliError(
    EXIT.refused,
    `there is a ${project.layout.unit} "${old}" already`,
    `${project.layout.plugin} start ${old} goes on with it; start --fresh makes another`,
  );
}

function nameOf({ layout }: Project, { name, goal }: Wanted): string {
  if (name === undefined) return nameFrom(goal) ?? layout.unit;
  const wrong = whyNoName(name);
  if (wrong !== undefined) throw new CliError(EXIT.usage, wrong.why, wrong.fix);
  return name;
}

/** A folder of another kind takes its name too, and so does a spec in another of the configured folders. */
const takenIn = ({ specsDirs }: Project): string[] => specsDirs.flatMap(namesIn);

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
    throw new CliError(
      EXIT.usage,
      `${wanted} is not one of this project's folders for ${layout.unit}s`,
      `these are: ${known}; specs_dirs in ${layout.settingsFile} adds others`,
    );
  }
  const [first] = specsDirs;
  if (layout.id === "specum" || settings.specsDirs.length > 0) return first;
  // Where the features are that there are; `specify init` leaves them to specs/.
  const made = specsDirs.find((one) => existsSync(one));
  const isInit = ["templates", "memory", "scripts"].some((name) =>
    existsSync(join(root, ".specify", name)),
  );
  return made ?? (isInit ? (specsDirs.at(-1) as string) : first);
}
