import { renderEpicDocument, replaceSpecTable } from "../epic/document.ts";
import {
  type EpicPlace,
  makeEpicFolder,
  readEpic,
  writeEpic,
  writeEpicDocument,
  writeEpicPointer,
} from "../epic/files.ts";
import { beginEpic, type Epic, type EpicChange, type NewSpec, planAdd } from "../epic/model.ts";
import { keepOutOfGit } from "../git/exclude.ts";
import { explainBadName } from "../spec/name.ts";
import { withLock } from "../store/lock.ts";
import { refuseReserved } from "./numbering.ts";
import { Refusal } from "./refusal.ts";
import type { Request } from "./request.ts";
import { epicOf, resolveEpic, sayRestore } from "./resolve-epic.ts";
import { resolveOrBeginProject } from "./resolve-spec.ts";

export interface CreatedEpic {
  readonly place: EpicPlace;
  readonly notes: readonly string[];
}

/** Creates an epic and its document, and activates it. Never overwrites anything. */
export function createEpic(request: Request, name: string, goal: string): CreatedEpic {
  const wrong = explainBadName(name);
  if (wrong !== undefined) throw new Refusal("usage", wrong.why, wrong.fix);
  const place = makeEpicFolder(resolveOrBeginProject(request), name);
  withLock(place.lock, () => {
    refuseExisting(request, place);
    const epic = beginEpic(name, goal);
    writeEpicDocument(place, (old) => (old === undefined ? renderEpicDocument(epic) : undefined));
    writeEpic(place, epic);
  });
  writeEpicPointer(place);
  const visible = keepOutOfGit(place);
  return { place, notes: visible === undefined ? [] : [`Do not commit the pointer: ${visible}.`] };
}

function refuseExisting({ program }: Request, place: EpicPlace): void {
  const file = readEpic(place);
  if (file.kind === "absent") return;
  const fix =
    file.kind === "ok"
      ? `${program} epic switch ${place.name} makes it the active one`
      : sayRestore(program, place);
  throw new Refusal("refused", `epic "${place.name}" already exists`, fix);
}

/** Reads, plans and writes with the lock held; the table in epic.md follows the state. */
export function changeEpic(
  request: Request,
  name: string | undefined,
  plan: (epic: Epic, place: EpicPlace) => EpicChange,
): Epic {
  const place = resolveEpic(request, name);
  return withLock(place.lock, () => {
    const planned = plan(epicOf(request, place), place);
    if (planned.kind === "refused") throw new Refusal("refused", planned.why, planned.fix);
    const { epic } = planned;
    writeEpic(place, epic);
    writeEpicDocument(place, (text) => (text === undefined ? text : replaceSpecTable(text, epic)));
    return { ...epic, name: place.name };
  });
}

export const addToEpic = (request: Request, name: string | undefined, wish: NewSpec): Epic =>
  changeEpic(request, name, (epic, { project }) => {
    if (!project.layout.numbered) refuseReserved(project, wish.name);
    return planAdd(epic, wish);
  });
