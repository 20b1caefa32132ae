import { mkdirSync } from "node:fs";
import { basename, dirname, join, relative, sep } from "node:path";
import { findGit } from "./git.ts";
import { readText } from "./read.ts";
import type { Spec } from "./spec.ts";
import { writeWhole } from "./write.ts";

const HEADING = "# Smart Ralph: state, journal and pointers are not committed";

/** Adds our files to the repository's own exclude list, which is not tracked. Outside git there is nothing to do. */
export function keepOutOfGit(spec: Spec): void {
  const { project } = spec;
  const git = findGit(project.root);
  if (git === undefined) return;
  const path = join(git.common, "info", "exclude");
  const file = readText(path, 1 << 20);
  if (file.kind === "unreadable") return;
  const old = file.kind === "ok" ? file.text : "";
  const { layout } = project;
  const pointer = relative(git.top, project.pointer);
  const patterns = [
    pointer.startsWith("..") ? basename(project.pointer) : `/${pointer.split(sep).join("/")}`,
    layout.stateFile,
    layout.journalFile,
    `${layout.lockFile}*`,
    `${layout.stateFile}.*.tmp`,
    ".progress-task-*.md",
  ];
  const known = new Set(old.split(/\r?\n/));
  const missing = patterns.filter((pattern) => !known.has(pattern));
  if (missing.length === 0) return;
  const heading = known.has(HEADING) ? [] : [HEADING];
  const gap = old === "" || old.endsWith("\n") ? "" : "\n";
  mkdirSync(dirname(path), { recursive: true });
  writeWhole(path, `${old}${gap}${[...heading, ...missing].join("\n")}\n`);
}
