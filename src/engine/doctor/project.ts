import { existsSync } from "node:fs";
import { namesOf, runGit } from "../../git/run.ts";
import { EPIC_FILES, EXECUTION } from "../../layouts/layout.ts";
import type { Project } from "../../store/project.ts";
import { readDisk } from "../../store/spec-files.ts";
import { findActiveSpec, listSpecs, shownPath, type Spec } from "../../store/spec.ts";
import { type Diagnostic, findingsAbout } from "../../text/diagnostic.ts";
import { quoteForShell, quoteName, quotePath } from "../../text/quote.ts";
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
  const { unit, voice } = project.layout;
  const { ok, error } = findingsAbout("pointer", shownPath(project, project.pointer));
  if (found.kind === "ok") return [ok(`active ${unit}: ${quotePath(found.spec.basePath)}`)];
  if (found.kind === "none" && (found.archived === true || !existsSync(project.pointer))) {
    const why = found.archived === true ? `: ${found.why}` : "";
    return [findingsAbout("pointer").info(`no active ${unit}${why}`)];
  }
  const why = found.kind === "ambiguous" ? "the name is ambiguous" : found.why;
  return [error(why, `${voice.command("implement")} <name> sets it`)];
}

function checkSpec(spec: Spec): Diagnostic[] {
  const { layout } = spec.project;
  const { command } = layout.voice;
  const name = quoteName(spec.name);
  const disk = readDisk(spec);
  const folder = quotePath(spec.basePath);
  const target = `${folder}/${layout.stateFile}`;
  const { ok, error } = findingsAbout("state", target);
  if (disk.state.kind === "absent") return [];
  if (disk.state.kind === "corrupt")
    return [
      error(
        `the state cannot be used: ${disk.state.why}`,
        `${command("implement")} ${name} rebuilds it`,
      ),
    ];
  const problems: Diagnostic[] = checkTrust(spec, disk);
  if (disk.tasks.kind !== "ok" && disk.state.state.phase === EXECUTION) {
    const why = disk.tasks.kind === "absent" ? "there is none" : disk.tasks.why;
    problems.push(
      findingsAbout("tasks", `${folder}/tasks.md`).error(
        `a run is active, but tasks.md cannot be read: ${why}`,
        `restore it, or ${command("cancel")} ${name}`,
      ),
    );
  }
  const { last } = disk;
  if (last?.event === "service-error")
    problems.push(
      findingsAbout("service-error", target).warning(
        `the last turn ended in a service error: ${last.note ?? "unknown"}`,
        `${command("resume")} continues`,
      ),
    );
  return problems.length > 0 ? problems : [ok(`state of ${name}`)];
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
  return (ok ? namesOf(out) : []).map((file) =>
    findingsAbout("tracked", file).warning(
      "git tracks a file that belongs to one run on one machine",
      `git rm --cached ${quoteForShell(file)}`,
    ),
  );
}
