import { join } from "node:path";
import { EPIC_FILES } from "../layouts/layout.ts";
import { isContained } from "../store/containment.ts";
import { makeProjectFolder, readProjectFile, writeProjectFile } from "../store/project-file.ts";
import type { Project } from "../store/project.ts";
import { MAX_BYTES } from "../store/read.ts";
import { CONTROL, isFolder, namesIn, quoted, shownPath } from "../store/spec.ts";
import { type Epic, type EpicFile, formatEpic, parseEpic } from "./model.ts";

export type EpicLookup =
  | { readonly kind: "ok"; readonly place: EpicPlace }
  | { readonly kind: "none"; readonly why: string; readonly unset?: true }
  | { readonly kind: "refused"; readonly why: string };

/** The first specs folder that exists: Spec Kit has two places for them. */
const homeOf = ({ specsDirs, extras }: Project): string =>
  extras ?? specsDirs.find(isFolder) ?? specsDirs[0];

const epicsFolder = (project: Project): string => join(homeOf(project), EPIC_FILES.folder);

export const epicPointer = (project: Project): string => join(homeOf(project), EPIC_FILES.pointer);

/** The epic that the pointer names. */
export function findActiveEpic(project: Project): EpicLookup {
  const pointer = epicPointer(project);
  const shown = shownPath(project, pointer);
  const file = readProjectFile(project, pointer, MAX_BYTES.pointer);
  if (file.kind === "absent") return { kind: "none", why: "there is no active epic", unset: true };
  if (file.kind === "unreadable") return { kind: "refused", why: `${shown}: ${file.why}` };
  const name = file.text.trim();
  if (name === "") return { kind: "none", why: `${shown} is empty`, unset: true };
  return findEpic(project, name);
}

/** Only by bare name: nothing else has ever been in the pointer. */
export function findEpic(project: Project, name: string): EpicLookup {
  if (CONTROL.test(name) || /[/\\:]|^\.|^$/.test(name)) {
    return { kind: "refused", why: `${quoted(name)} is not the bare name of an epic` };
  }
  const place = epicAt(project, name);
  if (!isFolder(place.folder)) return { kind: "none", why: `there is no epic ${quoted(name)}` };
  if (isContained(project, place.folder)) return { kind: "ok", place };
  return { kind: "refused", why: `${quoted(name)} leads out of the project` };
}

export const listEpics = (project: Project): EpicPlace[] =>
  namesIn(epicsFolder(project)).flatMap((name) => {
    const found = findEpic(project, name);
    return found.kind === "ok" ? [found.place] : [];
  });

export type EpicPlace = Readonly<ReturnType<typeof epicAt>>;

/** An epic's folder and its files. Paths are absolute, except for `basePath`, which is for messages. */
function epicAt(project: Project, name: string) {
  const folder = join(epicsFolder(project), name);
  return {
    project,
    name,
    folder,
    basePath: shownPath(project, folder),
    state: join(folder, EPIC_FILES.state),
    document: join(folder, EPIC_FILES.document),
    lock: join(folder, EPIC_FILES.lock),
  };
}

/** Creates the folder, or uses an existing one as is. The name must be valid. */
export function makeEpicFolder(project: Project, name: string): EpicPlace {
  const place = epicAt(project, name);
  makeProjectFolder(project, place.folder);
  return place;
}

export function readEpic(place: EpicPlace): EpicFile {
  const file = readProjectFile(place.project, place.state, MAX_BYTES.state);
  if (file.kind === "unreadable") return { kind: "corrupt", why: file.why };
  if (file.kind === "absent") return file;
  const parsed = parseEpic(file.text);
  // The pointer and the commands use the folder's name.
  return parsed.kind === "ok" ? { kind: "ok", epic: { ...parsed.epic, name: place.name } } : parsed;
}

/** Call with the epic's lock held. */
export function writeEpic(place: EpicPlace, epic: Epic): void {
  writeProjectFile(place.project, place.state, formatEpic(epic));
}

/** Changes the epic's document; `change` gets undefined if there is none. Call with the lock held. */
export function writeEpicDocument(
  place: EpicPlace,
  change: (text: string | undefined) => string | undefined,
): void {
  const file = readProjectFile(place.project, place.document, MAX_BYTES.document);
  if (file.kind === "unreadable") return;
  const old = file.kind === "ok" ? file.text : undefined;
  const text = change(old);
  if (text === undefined || text === old) return;
  const encoding = file.kind === "ok" ? file.encoding : "utf8";
  writeProjectFile(place.project, place.document, text, encoding);
}

export function writeEpicPointer({ project, name }: EpicPlace): void {
  writeProjectFile(project, epicPointer(project), `${name}\n`);
}
