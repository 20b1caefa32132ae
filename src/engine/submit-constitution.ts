import { commitFiles, readCommitted } from "../git/commit.ts";
import { CONSTITUTION } from "../layouts/layout.ts";
import { checkAmendment, parseConstitution } from "../spec/constitution.ts";
import { memoryFolder, readDocument } from "../store/documents.ts";
import type { Project } from "../store/project.ts";
import { shownPath } from "../store/spec.ts";
import { checkDocumentOf, type Finding, lineOf } from "./check-documents.ts";
import { type CommittedDocument, describeCommit } from "./document-commit.ts";

export type ConstitutionResult =
  | { readonly kind: "refused"; readonly findings: readonly string[] }
  | {
      readonly kind: "accepted";
      readonly path: string;
      readonly version: string;
      readonly commit: CommittedDocument;
    };

/** The constitution is written or amended: it is checked next to the version before it, and committed. */
export function submitConstitution(project: Project): ConstitutionResult {
  const place = memoryFolder(project);
  const file = readDocument(place, CONSTITUTION);
  const text = file.kind === "ok" ? file.text : "";
  const before = readCommitted(place, CONSTITUTION);
  const amended = before === text || text === "" ? [] : checkAmendment(text, before);
  const findings: readonly Finding[] = [
    ...checkDocumentOf(place, CONSTITUTION),
    ...amended.map((one) => ({ ...one, target: CONSTITUTION })),
  ];
  if (findings.length > 0) return { kind: "refused", findings: [...new Set(findings.map(lineOf))] };
  const version = parseConstitution(text)?.version ?? "";
  const message = `docs: ${before === undefined ? "ratify constitution" : "amend constitution to"} v${version}`;
  const commit = project.settings.commitSpec
    ? describeCommit(commitFiles(place, [CONSTITUTION], message))
    : { said: "", json: {} };
  return { kind: "accepted", path: shownPath(project, place.folder), version, commit };
}
