import { realpathSync } from "node:fs";
import { basename, dirname, isAbsolute, join, resolve, sep } from "node:path";
import { INBOX_FILE, reservedNames } from "../layouts/layout.ts";
import type { SpecRef } from "../run/hand-out.ts";
import { replaceUnsafe } from "../text/clean.ts";
import { isContained, isNamedOutside } from "./containment.ts";
import { whyNotOurs } from "./owner.ts";
import { readProjectFile } from "./project-file.ts";
import type { Project } from "./project.ts";
import { fileNamesIn, MAX_BYTES, statOf } from "./read.ts";

/** A spec's folder and the files in it that we read and write. Paths are absolute. */
export interface Spec extends SpecRef {
  readonly project: Project;
  readonly folder: string;
  readonly tasks: string;
  readonly state: string;
  readonly journal: string;
  readonly lock: string;
  readonly progress: string;
  readonly inbox: string;
}

export type SpecLookup =
  | { readonly kind: "ok"; readonly spec: Spec }
  | {
      readonly kind: "none";
      readonly why: string;
      readonly unset?: true;
      /** What the pointer names was put away, by whoever: as good as unset. */
      readonly archived?: true;
    }
  | { readonly kind: "refused"; readonly why: string }
  | { readonly kind: "ambiguous"; readonly specs: readonly Spec[] };

/** The spec that the pointer names. */
export function findActiveSpec(project: Project): SpecLookup {
  const file = readProjectFile(project, project.pointer, MAX_BYTES.pointer, (stat) =>
    whyNotOurs(project, stat),
  );
  const shown = shownPath(project, project.pointer);
  if (file.kind === "absent") return { kind: "none", why: `there is no ${shown}`, unset: true };
  if (file.kind === "unreadable") return { kind: "refused", why: `${shown}: ${file.why}` };
  const name = file.text.trim();
  if (name === "") return { kind: "none", why: `${shown} is empty`, unset: true };
  const found = findSpec(project, name);
  if (found.kind === "none" && isArchived(project, basename(name)))
    return {
      kind: "none",
      why: `${quoted(basename(name))} was archived`,
      unset: true,
      archived: true,
    };
  if (found.kind !== "ambiguous") return found;
  // The first of `specs_dirs` is the default: a bare name in the pointer means that one.
  return { kind: "ok", spec: found.specs[0] as Spec };
}

// eslint-disable-next-line no-control-regex -- control characters are exactly what we look for
export const CONTROL = /[\u0000-\u001f\u007f-\u009f]/;

/** A spec by bare name, or by a path that begins with `./` or `/`. */
export function findSpec(project: Project, name: string): SpecLookup {
  const refuse = (why: string): SpecLookup => ({ kind: "refused", why: `${quoted(name)} ${why}` });
  if (CONTROL.test(name)) return refuse("is not a name: it has control characters");
  const isPath = /^\.{1,2}[/\\]/.test(name) || isAbsolute(name);
  if (!isPath && (/[/\\]/.test(name) || name === "." || name === "..")) {
    const isThere = statOf(resolve(project.root, name)) !== undefined;
    return refuse(isThere ? "is a path: begin it with ./" : "does not exist");
  }
  const places = isPath
    ? [resolve(project.root, name)]
    : project.specsDirs.map((folder) => join(folder, name));
  const specs = places
    .filter((place) => !isReserved(project, place) && isFolder(place))
    .map((folder) => specAt(project, spellFolder(folder)));
  const inside = distinct(specs.filter((spec) => isContained(project, spec.folder)));
  const theirs = inside.flatMap(strangersIn);
  const own = theirs.length === 0 ? inside : inside.filter((spec) => !strangersIn(spec)[0]);
  const [first, ...others] = own;
  if (first === undefined) {
    if (theirs[0] !== undefined) return { kind: "refused", why: theirs[0] };
    const leadsOut = specs.length > 0 || places.every((place) => isNamedOutside(project, place));
    if (leadsOut) return refuse("leads out of the project");
    return { kind: "none", why: `there is no ${project.layout.unit} ${quoted(name)}` };
  }
  return others.length === 0 ? { kind: "ok", spec: first } : { kind: "ambiguous", specs: own };
}

/** Folders that hold specs or epics are not specs themselves, nor is anything in the archive. */
const isReserved = ({ specsDirs, layout }: Project, place: string): boolean =>
  reservedNames(layout).includes(basename(place)) ||
  basename(dirname(place)) === layout.archive ||
  specsDirs.includes(place);

/** Names that no spec may have: it would not be found. */
export const reservedIn = ({ specsDirs, layout }: Project): string[] => [
  ...reservedNames(layout),
  ...specsDirs.filter((folder) => specsDirs.includes(dirname(folder))).map((one) => basename(one)),
];

const isArchived = ({ specsDirs, layout }: Project, name: string): boolean =>
  specsDirs.some((folder) =>
    namesIn(join(folder, layout.archive)).some((entry) => archivedName(entry) === name),
  );

/** The archive's folders begin with the day: `2026-11-16-add-x`. */
export const archivedName = (entry: string): string | undefined =>
  /^\d{4}-\d\d-\d\d-(.+)$/.exec(entry)?.[1];

/** On a shared machine anyone may have put a spec, or the state of one, where they can write. */
function strangersIn({ project, folder, state }: Spec): string[] {
  return [folder, state].flatMap((path) => {
    const stat = statOf(path);
    const why = stat === undefined ? undefined : whyNotOurs(project, stat);
    return why === undefined ? [] : [`${shownPath(project, path)}: ${why}`];
  });
}

/** Where `Demo` opens `demo`, a spec has its folder's own name: checkpoints, epics and the pointer use that. */
const spellFolder = (folder: string): string =>
  process.platform === "linux" ? folder : spellAs(folder, realpathSync.native(folder));

export function spellAs(folder: string, real: string): string {
  const fold = (path: string): string => basename(path).normalize("NFC").toLowerCase();
  return fold(folder) === fold(real) ? join(dirname(folder), basename(real)) : folder;
}

/** For messages: on one line and not too long, whatever is in the pointer. */
export const quoted = (name: string): string =>
  replaceUnsafe(JSON.stringify(name.slice(0, 200)), () => "?");

export function listSpecs(project: Project): readonly Spec[] {
  const specs = project.specsDirs.flatMap((folder) =>
    namesIn(folder)
      .map((name) => join(folder, name))
      .filter((place) => !isReserved(project, place))
      .map((place) => specAt(project, place)),
  );
  const inside = specs.filter((spec) => isContained(project, spec.folder));
  return distinct(inside.filter((spec) => strangersIn(spec).length === 0));
}

/** There may be two ways to one folder, for example `.specify/specs` as a link to `specs`: the first one counts. */
function distinct(specs: readonly Spec[]): readonly Spec[] {
  if (specs.length < 2) return specs;
  const seen = new Set<string>();
  return specs.filter((spec) => {
    const real = realpathSync.native(spec.folder);
    return !seen.has(real) && seen.add(real);
  });
}

/** What the pointer should contain for this spec: the bare name if that is enough. */
export function pointerText(spec: Spec): string {
  const isDefault = findSpec(spec.project, spec.name);
  const bareIsEnough =
    (isDefault.kind === "ok" && isDefault.spec.folder === spec.folder) ||
    (isDefault.kind === "ambiguous" && isDefault.specs[0]?.folder === spec.folder);
  return bareIsEnough ? spec.name : spec.basePath;
}

export function specAt(project: Project, folder: string): Spec {
  const { layout } = project;
  return {
    project,
    folder,
    name: basename(folder),
    basePath: shownPath(project, folder),
    tasks: join(folder, "tasks.md"),
    state: join(folder, layout.stateFile),
    journal: join(folder, layout.journalFile),
    lock: join(folder, layout.lockFile),
    progress: join(folder, ".progress.md"),
    inbox: join(folder, INBOX_FILE),
  };
}

/**
 * Relative to the project if possible, and with forward slashes, for messages, prompts and state: to an agent's shell a
 * backslash means something else.
 */
export function shownPath({ root }: Pick<Project, "root">, path: string, between = sep): string {
  const base = root.endsWith(between) ? root : root + between;
  const isInside = path.startsWith(base);
  const shown = (isInside ? path.slice(base.length) : path).split(between).join("/");
  return isInside ? `./${shown}` : shown;
}

export function namesIn(folder: string): string[] {
  return fileNamesIn(folder)
    .filter((name) => !/^[._]/.test(name) && !CONTROL.test(name))
    .filter((name) => isFolder(join(folder, name)))
    .sort();
}

export const isFolder = (path: string): boolean => statOf(path)?.isDirectory() === true;
