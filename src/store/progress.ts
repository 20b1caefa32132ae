import { join } from "node:path";
import { readProjectFile, removeProjectFile, writeProjectFile } from "./project-file.ts";
import { faultIn, FileFault, MAX_BYTES } from "./read.ts";
import type { Spec } from "./spec.ts";

/**
 * Takes the notes that the members of a parallel group kept apart, so as not to write one file at the same time, over
 * into `.progress.md`, in the order of the tasks. Older versions name the files by the task's index. Returns what is
 * in the way: then they stay where they are.
 */
export function mergeProgress(
  spec: Spec,
  tasks: readonly { readonly id: string; readonly index: number }[],
): string | undefined {
  return faultIn(() => {
    for (const { id, index } of tasks) {
      for (const name of [`.progress-task-${id}.md`, `.progress-task-${index}.md`]) {
        const path = join(spec.folder, name);
        const notes = readProjectFile(spec.project, path, MAX_BYTES.settings);
        if (notes.kind !== "ok") continue;
        if (notes.text.trim() !== "")
          writeProgressSection(spec, `Notes on ${id}`, notes.text.replace("\uFEFF", ""));
        removeProjectFile(spec.project, path);
      }
    }
  });
}

/** Puts a section into the spec's `.progress.md`, in place of one with the same heading; the rest stays as it is. */
export function writeProgressSection(spec: Spec, heading: string, body: string): void {
  const file = readProjectFile(spec.project, spec.progress, MAX_BYTES.document);
  if (file.kind === "unreadable") throw new FileFault(spec.progress, file.why);
  const old = file.kind === "ok" ? file.text : `# Progress: ${spec.name}\n`;
  const section = `## ${heading}\n\n${body.trimEnd()}\n`;
  const text = replaceSection(old, heading, withEolOf(old, section));
  writeProjectFile(spec.project, spec.progress, text, file.kind === "ok" ? file.encoding : "utf8");
}

/** What is added to a file of Windows lines has such lines too; notes may come from a file that has others. */
const withEolOf = (file: string, text: string): string =>
  text.replace(/\r?\n/g, file.includes("\r\n") ? "\r\n" : "\n");

function replaceSection(text: string, heading: string, section: string): string {
  const eol = /\r?\n$/.exec(section)?.[0] ?? "\n";
  const lines = text.split(/(?<=\n)/);
  const start = lines.findIndex((line) => line.trimEnd() === `## ${heading}`);
  if (start === -1) return `${text.trimEnd()}${eol}${eol}${section}`;
  const next = lines.findIndex((line, i) => i > start && /^##? /.test(line));
  const after = next === -1 ? [] : [eol, ...lines.slice(next)];
  return [...lines.slice(0, start), section, ...after].join("");
}
