import { readdirSync } from "node:fs";
import { join } from "node:path";
import { addHistory } from "../run/change/recovery.ts";
import { putStanding, type StandingSection } from "../run/progress-standing.ts";
import { addItems, type NotedItem, readItems, removeItems } from "../spec/noted-items.ts";
import { readProjectFile, removeProjectFile, writeProjectFile } from "./project-file.ts";
import { faultIn, FileFault, MAX_BYTES, statOf } from "./read.ts";
import type { Spec } from "./spec.ts";

/*
 * The one place that writes a spec's `.progress.md`. People and agents write it too, so whatever else is in it stays as
 * it is. That it cannot be written is never a reason to undo work: some of these return the fault as a sentence.
 */

/** Begins the file, or begins it again. */
export const writeProgress = (spec: Spec, text: string): void =>
  writeProjectFile(spec.project, spec.progress, text);

/** What proves each task, as data beside the notes. */
export const writeReceiptFile = (spec: Spec, name: string, text: string): string | undefined =>
  faultIn(() => writeProjectFile(spec.project, join(spec.folder, name), text));

export const hasProgress = (spec: Spec): boolean => readProgress(spec).kind !== "absent";

const readProgress = ({ project, progress }: Spec) =>
  readProjectFile(project, progress, MAX_BYTES.document);

function changeProgress(spec: Spec, change: (text: string | undefined) => string): void {
  const file = readProgress(spec);
  if (file.kind === "unreadable") throw new FileFault(spec.progress, file.why);
  const [text, encoding] = file.kind === "ok" ? [file.text, file.encoding] : [];
  const changed = change(text);
  if (changed !== text) writeProjectFile(spec.project, spec.progress, changed, encoding);
}

/** The notes of a spec that has another name now. */
export const renameProgress = (spec: Spec, from: string): string | undefined =>
  faultIn(() => {
    if (!hasProgress(spec)) return;
    changeProgress(spec, (text = "") =>
      text
        .replace(/^(spec: )(.*)$/m, (line, key: string, name: string) =>
          name.trim() === from ? `${key}${spec.name}` : line,
        )
        .replace(/^(# Progress: )(.*)$/m, (line, key: string, name: string) =>
          name.trim() === from ? `${key}${spec.name}` : line,
        ),
    );
  });

/** Adds a line to the history of failed attempts. */
export const addProgressHistory = (spec: Spec, line: string): string | undefined =>
  faultIn(() => changeProgress(spec, (text = "") => addHistory(text, line)));

/** Adds lines to a section that lists what was said, each once. */
export const addProgressItems = (
  spec: Spec,
  heading: string,
  items: readonly NotedItem[],
): string | undefined =>
  faultIn(() =>
    changeProgress(spec, (text = `# Progress: ${spec.name}\n`) => addItems(text, heading, items)),
  );

export const removeProgressItems = (
  spec: Spec,
  heading: string,
  items: readonly NotedItem[],
): void => changeProgress(spec, (text = "") => removeItems(text, heading, items));

export function readProgressItems(spec: Spec, heading: string): NotedItem[] {
  const file = readProgress(spec);
  return file.kind === "ok" ? readItems(file.text, heading) : [];
}

/** Says where the run is, in notes that exist. */
export function writeProgressStanding(spec: Spec, sections: readonly StandingSection[]): void {
  faultIn(() => {
    if (hasProgress(spec)) changeProgress(spec, (text = "") => putStanding(text, sections));
  });
}

/** Puts a section in, in place of one with the same heading. */
export function writeProgressSection(
  spec: Spec,
  heading: string,
  body: string,
): string | undefined {
  return faultIn(() => putSection(spec, heading, body));
}

function putSection(spec: Spec, heading: string, body: string): void {
  changeProgress(spec, (old = `# Progress: ${spec.name}\n`) => {
    const eol = old.includes("\r\n") ? "\r\n" : "\n";
    const section = `## ${heading}\n\n${body.trimEnd()}\n`.replace(/\r?\n/g, eol);
    const lines = old.split(/(?<=\n)/);
    const start = lines.findIndex((line) => line.trimEnd() === `## ${heading}`);
    if (start === -1) return `${old.trimEnd()}${eol}${eol}${section}`;
    const next = lines.findIndex((line, i) => i > start && /^##? /.test(line));
    const after = next === -1 ? [] : [eol, ...lines.slice(next)];
    return [...lines.slice(0, start), section, ...after].join("");
  });
}

/**
 * Takes over the notes that the members of a parallel group kept apart, so as not to write one file at the same time, in
 * the order of the tasks. Older versions name the files by the task's index.
 */
export function mergeProgress(
  spec: Spec,
  tasks: readonly { readonly id: string; readonly index: number }[],
): string | undefined {
  return faultIn(() => {
    for (const { id, index } of tasks)
      for (const name of [`.progress-task-${id}.md`, `.progress-task-${index}.md`])
        moveNotes(spec, name, `Notes on ${id}`);
  });
}

const NOTES = /^\.progress-task-(.*)\.md$/;
const HOUR_MS = 3_600_000;

/** Takes over notes that nobody has merged for an hour. Returns the names of the files that are gone. */
export function mergeStaleProgress(spec: Spec, at: string, olderThanMs = HOUR_MS): string[] {
  const stale = readdirSync(spec.folder).filter((name) => {
    const stat = NOTES.test(name) ? statOf(join(spec.folder, name)) : undefined;
    return stat?.isFile() === true && Date.parse(at) - stat.mtimeMs >= olderThanMs;
  });
  for (const name of stale)
    faultIn(() => moveNotes(spec, name, `Notes left over from ${NOTES.exec(name)?.[1]}`));
  return stale.filter((name) => statOf(join(spec.folder, name)) === undefined);
}

/** What cannot be read stays where it is. */
function moveNotes(spec: Spec, name: string, heading: string): void {
  const path = join(spec.folder, name);
  const notes = readProjectFile(spec.project, path, MAX_BYTES.settings);
  if (notes.kind !== "ok") return;
  if (notes.text.trim() !== "") putSection(spec, heading, notes.text.replace("\uFEFF", ""));
  removeProjectFile(spec.project, path);
}
