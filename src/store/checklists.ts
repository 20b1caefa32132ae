import { readdirSync } from "node:fs";
import { join } from "node:path";
import { type Checklist, parseChecklist } from "../spec/checklists.ts";
import { isContainedOrSame } from "./containment.ts";
import type { DocumentPlace } from "./documents.ts";
import { readProjectFile } from "./project-file.ts";
import { MAX_BYTES } from "./read.ts";
import { CONTROL, isFolder } from "./spec.ts";

const MAX_LISTS = 50;

/** The spec's checklists that have items, by name. One that cannot be read asks nothing. */
export function readChecklists({ project, folder }: DocumentPlace): Checklist[] {
  const { checklists } = project.layout;
  const place = checklists === undefined ? "" : join(folder, checklists.folder);
  if (place === "" || !isFolder(place) || !isContainedOrSame(project, place, false)) return [];
  return readdirSync(place)
    .filter((name) => name.endsWith(".md") && !name.startsWith(".") && !CONTROL.test(name))
    .sort()
    .slice(0, MAX_LISTS)
    .flatMap((name) => {
      const file = readProjectFile(project, join(place, name), MAX_BYTES.document);
      return file.kind === "ok" ? [parseChecklist(name, file.text)] : [];
    })
    .filter(({ items }) => items.length > 0);
}
