import { readText } from "./read.ts";
import type { Spec } from "./spec.ts";
import { writeWhole } from "./write.ts";

/** Puts a section into the spec's `.progress.md`, in place of one with the same heading; the rest stays as it is. */
export function writeProgressSection(spec: Spec, heading: string, body: string): void {
  const file = readText(spec.progress, 16 << 20);
  if (file.kind === "unreadable") return;
  const old = file.kind === "ok" ? file.text : `# Progress: ${spec.name}\n`;
  const section = `## ${heading}\n\n${body.trimEnd()}\n`;
  writeWhole(
    spec.progress,
    replaceSection(old, heading, section),
    file.kind === "ok" ? file.encoding : "utf8",
  );
}

function replaceSection(text: string, heading: string, section: string): string {
  const lines = text.split("\n");
  const start = lines.findIndex((line) => line.trimEnd() === `## ${heading}`);
  if (start === -1) return `${text.trimEnd()}\n\n${section}`;
  const next = lines.findIndex((line, i) => i > start && /^##? /.test(line));
  const after = next === -1 ? [] : ["", ...lines.slice(next)];
  return [
    ...lines.slice(0, start),
    ...section.trimEnd().split("\n"),
    ...after,
    ...(next === -1 ? [""] : []),
  ].join("\n");
}
