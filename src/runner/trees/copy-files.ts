import { writePointer } from "../../engine/activate-spec.ts";
import { isEpicHome, type TrunkPlace } from "../../engine/trunk-record.ts";
import { copyCheckpoints } from "../../git/checkpoint.ts";
import { keepOutOfGit } from "../../git/exclude.ts";
import { writePeerPointer } from "../../store/current-spec.ts";
import { isFolder, type Spec } from "../../store/spec.ts";
import { copyInVault } from "../../store/vault-copy.ts";
import { commitDocuments } from "./bring-documents.ts";
import { readSpecFiles, writeSpecFile } from "./spec-files.ts";

/** Copies a spec with its checkpoints and the vault's record of it. Returns the hashes of the user's files. */
export function copyFiles(place: TrunkPlace, home: Spec, target: Spec): Record<string, string> {
  const files = isFolder(home.folder) ? readSpecFiles(home) : [];
  for (const file of files) writeSpecFile(target, file);
  if (files.length > 0) {
    if (!isEpicHome(target)) writePointer(target);
    if (!isEpicHome(target)) writePeerPointer(target);
    keepOutOfGit(target);
    commitDocuments(target, place.top);
  }
  copyInVault(home, target);
  copyCheckpoints(home, target, place.branch);
  return Object.fromEntries(files.map(({ name, hash }) => [name, hash]));
}
