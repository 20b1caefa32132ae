import { EMPTY_INBOX, formatInbox, type Inbox, parseInbox } from "../run/inbox.ts";
import { readProjectFile, writeProjectFile } from "./project-file.ts";
import { faultIn, FileFault, type FileText, MAX_BYTES, readText, remember } from "./read.ts";
import type { Spec } from "./spec.ts";
import { fileOf } from "./vault.ts";
import { writePrivate } from "./write.ts";

const parseOnce = remember(parseInbox);

/** The file in the vault counts. The copy in the project is for people: any agent could forge an answer there. */
export function readInbox(spec: Spec): Inbox {
  const path = fileOf(spec, "inbox");
  const file = path === undefined ? readCopy(spec) : readText(path, MAX_BYTES.document);
  if (file.kind === "absent") return EMPTY_INBOX;
  return file.kind === "ok" ? parseOnce(file.text) : { entries: [], fault: file.why };
}

/** The file that counts. */
export const inboxPath = (spec: Spec): string => fileOf(spec, "inbox") ?? spec.inbox;

const readCopy = ({ project, inbox }: Spec): FileText =>
  readProjectFile(project, inbox, MAX_BYTES.document);

/** Call with the spec's lock held. A file that we cannot read is not replaced: it may contain the user's answers. */
export function writeInbox(spec: Spec, inbox: Inbox): void {
  const path = fileOf(spec, "inbox");
  const { fault } = readInbox(spec);
  if (fault !== undefined) throw new FileFault(inboxPath(spec), fault);
  const text = formatInbox(inbox);
  const copy = (): void => writeProjectFile(spec.project, spec.inbox, text);
  if (path === undefined) return copy();
  writePrivate(path, text);
  // If the copy cannot be written, the file that counts has been.
  faultIn(copy);
}
