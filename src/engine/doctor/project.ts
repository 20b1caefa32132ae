import { existsSync } from "node:fs";
import { namesOf, runGit } from "../../git/run.ts";
import { EXECUTION } from "../../layouts/layout.ts";
import { EPIC_FILES } from "../../layouts/layout.ts";
import type { Project } from "../../store/project.ts";
import { readDisk } from "../../store/spec-files.ts";
import { findActiveSpec, listSpecs, shownPath, type Spec } from "../../store/spec.ts";
import type { Diagnostic } from "../../text/diagnostic.ts";
import { quoteForShell } from "../../text/quote.ts";
import { quoteName, quotePath } from "../../text/quote.ts";
import { checkEpics } from "./epics.ts";
import { checkSettings } from "./settings.ts";
import { checkTrust } from "./trust.ts";

/** Everything about one layout in one project that could keep a run from working. */
export function checkProject(project: Project): Diagnostic[] {
  return [
    ...checkSettings(project),
    ...checkPointer(project),
    ...listSpecs(project).flatMap(checkSpec),
    ...checkEpics(project),
    ...checkTracked(project),
  ];
}

function checkPointer(project: Project): Diagnostic[] {
  const found = findActiveSpec(project);
  const target = shownPath(project, project.pointer);
  if (found.kind === "ok")
    return [
      {
        severity: "ok",
        code: "pointer",
        message: `active ${project.layout.unit}: ${quotePath(found.spec.basePath)}`,
        target,
      },
    ];
  if (found.kind === "none" && (found.archived === true || !existsSync(project.pointer))) {
    const why = found.archived === true ? `: ${found.why}` : "";
    const message = `no active ${project.layout.unit}${why}`;
    return [{ severity: "info", code: "pointer", message }];
  }
  const why = found.kind === "ambiguous" ? "the name is ambiguous" : found.why;
  return [
    {
      severity: "error",
      code: "pointer",
      message: why,
      target,
      fix: `${project.layout.voice.command("implement")} <name> sets it`,
    },
  ];
}

function checkSpec(spec: Spec): Diagnostic[] {
  const { layout } = spec.project;
  const disk = readDisk(spec);
  const target = `${quotePath(spec.basePath)}/${layout.stateFile}`;
  if (disk.state.kind === "absent") return [];
  if (disk.state.kind === "corrupt") {
    return [
      {
        severity: "error",
        code: "state",
        message: `the state cannot be used: ${disk.state.why}`,
        target,
        fix: `${layout.voice.command("implement")} ${quoteName(spec.name)} rebuilds it`,
      },
    ];
  }
  const problems: Diagnostic[] = checkTrust(spec, disk);
  if (disk.tasks.kind !== "ok" && disk.state.state.phase === EXECUTION) {
    const why = disk.tasks.kind === "absent" ? "there is none" : disk.tasks.why;
    problems.push({
      severity: "error",
      code: "tasks",
      message: `a run is active, but tasks.md cannot be read: ${why}`,
      target: `${quotePath(spec.basePath)}/tasks.md`,
      fix: `restore it, or ${layout.voice.command("cancel")} ${quoteName(spec.name)}`,
    });
  }
  const { last } = disk;
  if (last?.event === "service-error") {
    problems.push({
      severity: "warning",
      code: "service-error",
      message: `the last turn ended in a service error: ${last.note ?? "unknown"}`,
      target,
      fix: `${layout.voice.command("resume")} continues`,
    });
  }
  return problems.length > 0
    ? problems
    : [{ severity: "ok", code: "state", message: `state of ${quoteName(spec.name)}`, target }];
}

function checkTracked(project: Project): Diagnostic[] {
  const { layout } = project;
  const patterns = [layout.stateFile, layout.journalFile, layout.pointer, EPIC_FILES.pointer].map(
    (name) => `:(glob)**/${name}`,
  );
  // These are patterns, unlike everything else we pass to git.
  const { ok, out } = runGit(project.root, ["ls-files", "-z", "--", ...patterns], {
    env: { GIT_LITERAL_PATHSPECS: "0" },
  });
  return (ok ? namesOf(out) : []).map((file) => ({
    severity: "warning",
    code: "tracked",
    message: "git tracks a file that belongs to one run on one machine",
    target: file,
    fix: `git rm --cached ${quoteForShell(file)}`,
  }));
}
