import { writePointer } from "../../engine/activate-spec.ts";
import { copyCheckpoints } from "../../git/checkpoint.ts";
import { keepOutOfGit } from "../../git/exclude.ts";
import { writePeerPointer } from "../../store/current-spec.ts";
import { isFolder, type Spec } from "../../store/spec.ts";
import { copyInVault } from "../../store/vault-copy.ts";
import { commitDocuments } from "./bring-documents.ts";
import { isEpicHome, type TrunkPlace } from "./record.ts";
import { readSpecFiles, writeSpecFile } from "./spec-files.ts";

/** Copies a spec with all that is known about it. Returns the user's files by hash. */
export function copyFiles(place: TrunkPlace, home: Spec, there: Spec): Record<string, string> {
  const files = isFolder(home.folder) ? readSpecFiles(home) : [];
  for (const file of files) writeSpecFile(there, file);
  if (files.length > 0) {
    if (!isEpicHome(there)) writePointer(there);
    if (!isEpicHome(there)) writePeerPointer(there);
    keepOutOfGit(there);
    commitDocuments(there, place.top);
  }
  copyInVault(home, there);
  copyCheckpoints(home, there, place.branch);
  return Object.fromEntries(files.map(({ name, hash }) => [name, hash]));
}
