import { EMPTY_INBOX, formatInbox, type Inbox, parseInbox } from "../run/inbox.ts";
import { readProjectFile, writeProjectFile } from "./project-file.ts";
import { FileFault, MAX_BYTES } from "./read.ts";
import { remember } from "./remember.ts";
import type { Spec } from "./spec.ts";

const parseOnce = remember(parseInbox);

export function readInbox({ project, inbox }: Spec): Inbox {
  const file = readProjectFile(project, inbox, MAX_BYTES.document);
  if (file.kind === "absent") return EMPTY_INBOX;
  return file.kind === "ok" ? parseOnce(file.text) : { entries: [], fault: file.why };
}

/** Call with the spec's lock held. A file that we cannot read is not replaced: it may hold somebody's answers. */
export function writeInbox(spec: Spec, inbox: Inbox): void {
  const { fault } = readInbox(spec);
  if (fault !== undefined) throw new FileFault(spec.inbox, fault);
  writeProjectFile(spec.project, spec.inbox, formatInbox(inbox));
}
