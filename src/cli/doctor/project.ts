import { existsSync } from "node:fs";
import { join } from "node:path";
import type { Diagnostic } from "../../core/diagnostic.ts";
import { EPIC_FILES, slash } from "../../core/layout.ts";
import { parseFrontMatter, SETTINGS } from "../../core/settings.ts";
import { readDisk, readLastEntry } from "../../store/disk.ts";
import { namesOf, runGit } from "../../store/git-run.ts";
import type { Project } from "../../store/project.ts";
import { MAX_BYTES, readText } from "../../store/read.ts";
import { findActiveSpec, listSpecs, shownPath, type Spec } from "../../store/spec.ts";
import { checkEpics } from "./epics.ts";

/** Everything about one layout in one project that could keep a run from working. */
export function checkProject(project: Project): Diagnostic[] {
  return [
    ...checkSettingsFile(project),
    ...checkSpecsDirs(project),
    ...checkPointer(project),
    ...listSpecs(project).flatMap(checkSpec),
    ...checkEpics(project),
    ...checkTracked(project),
  ];
}

function checkSettingsFile(project: Project): Diagnostic[] {
  const { layout, root, settings } = project;
  const target = layout.settingsFile;
  const file = readText(join(root, target), MAX_BYTES.settings);
  if (file.kind === "absent") return [];
  if (file.kind === "unreadable")
    return [
      {
        severity: "error",
        code: "settings",
        message: `the settings cannot be read, ${file.why}`,
        target,
      },
    ];
  const values = parseFrontMatter(file.text);
  if (values.size === 0) {
    return [
      {
        severity: "warning",
        code: "settings",
        message: "the settings have no front matter, so nothing is set",
        target,
        fix: "put the settings between two lines ---",
      },
    ];
  }
  const unknown = [...values.keys()].filter((key) => !(key in SETTINGS));
  return [
    ...unknown.map((key): Diagnostic => ({
      severity: "info",
      code: "settings-unknown",
      message: `"${key}" is not a setting of this version`,
      target,
    })),
    ...(settings.enabled
      ? []
      : [
          {
            severity: "warning",
            code: "disabled",
            message: `${layout.plugin} is disabled here`,
            target,
            fix: "set enabled: true",
          } as const,
        ]),
  ];
}

function checkSpecsDirs(project: Project): Diagnostic[] {
  if (project.settings.specsDirs.length === 0) return [];
  return project.specsDirs
    .filter((folder) => !existsSync(folder))
    .map((folder) => ({
      severity: "warning",
      code: "specs-dir",
      message: `${shownPath(project, folder)} is in specs_dirs but does not exist`,
      fix: "make it, or take it out of specs_dirs",
    }));
}

function checkPointer(project: Project): Diagnostic[] {
  const found = findActiveSpec(project);
  const target = shownPath(project, project.pointer);
  if (found.kind === "ok")
    return [
      {
        severity: "ok",
        code: "pointer",
        message: `active ${project.layout.unit}: ${found.spec.basePath}`,
        target,
      },
    ];
  if (found.kind === "none" && !existsSync(project.pointer))
    return [{ severity: "info", code: "pointer", message: `no active ${project.layout.unit}` }];
  const why = found.kind === "ambiguous" ? "the name is ambiguous" : found.why;
  return [
    {
      severity: "error",
      code: "pointer",
      message: why,
      target,
      fix: `${slash(project.layout, "implement")} <name> sets it`,
    },
  ];
}

function checkSpec(spec: Spec): Diagnostic[] {
  const { layout } = spec.project;
  const disk = readDisk(spec);
  const target = `${spec.basePath}/${layout.stateFile}`;
  if (disk.state.kind === "absent") return [];
  if (disk.state.kind === "corrupt") {
    return [
      {
        severity: "error",
        code: "state",
        message: `the state cannot be used, ${disk.state.why}`,
        target,
        fix: `${slash(layout, "implement")} ${spec.name} rebuilds it`,
      },
    ];
  }
  const problems: Diagnostic[] = [];
  if (disk.tasks.kind !== "ok" && disk.state.state.phase === "execution") {
    const why = disk.tasks.kind === "absent" ? "there is none" : disk.tasks.why;
    problems.push({
      severity: "error",
      code: "tasks",
      message: `a run is on, but tasks.md cannot be read: ${why}`,
      target: `${spec.basePath}/tasks.md`,
      fix: `restore it, or ${slash(layout, "cancel")} ${spec.name}`,
    });
  }
  const last = readLastEntry(spec);
  if (last?.event === "service-error") {
    problems.push({
      severity: "warning",
      code: "service-error",
      message: `the last turn ended in a service error: ${last.note ?? "unknown"}`,
      target,
      fix: `${slash(layout, "resume")} goes on`,
    });
  }
  return problems.length > 0
    ? problems
    : [{ severity: "ok", code: "state", message: `state of ${spec.name}`, target }];
}

function checkTracked(project: Project): Diagnostic[] {
  const { layout } = project;
  const patterns = [layout.stateFile, layout.journalFile, layout.pointer, EPIC_FILES.pointer].map(
    (name) => `:(glob)**/${name}`,
  );
  // These are patterns, unlike all else that git is asked for.
  const { ok, out } = runGit(project.root, ["ls-files", "-z", "--", ...patterns], {
    env: { GIT_LITERAL_PATHSPECS: "0" },
  });
  return (ok ? namesOf(out) : []).map((file) => ({
    severity: "warning",
    code: "tracked",
    message: "git tracks a file that belongs to one run on one machine",
    target: file,
    fix: `git rm --cached ${/^[\w./-]+$/.test(file) ? file : `'${file.replaceAll("'", `'\\''`)}'`}`,
  }));
}
