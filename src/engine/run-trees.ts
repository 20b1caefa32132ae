import { join, relative, sep } from "node:path";
import type { Edition } from "../layouts/layout.ts";
import { isSameOrBelow } from "../store/containment.ts";
import { findGit, pinTop } from "../store/git-files.ts";
import { openProject, type Project } from "../store/project.ts";
import { isFolder, listSpecs, namesIn, type Spec, specAt } from "../store/spec.ts";
import { isSameFolder, realPathOf, vaultFolder } from "../store/vault-place.ts";
import { quoteForShell } from "../text/quote.ts";
import { SHELL_PROGRAM } from "../text/wording.ts";
import { withinRepository } from "./clean-copies.ts";
import {
  isEpicHome,
  listTrunks,
  placeOf,
  readTrunkRecord,
  treesFolder,
  type TrunkRecord,
} from "./trunk-record.ts";

/** More than anyone has. */
const MAX_TREES = 200;

/** The same project in another work tree of its repository. */
export const sameProjectIn = (project: Project, top: string): Project =>
  openProject(project.layout, join(top, withinRepository(project)));

/** The same spec in another work tree; its folder need not exist there. */
export const sameSpecIn = (home: Spec, project: Project): Spec =>
  specAt(
    project,
    join(project.root, relative(realPathOf(home.project.root), realPathOf(home.folder))),
  );

/** The key of an epic's spec in a record. */
export const memberName = ({ folder, project }: Spec): string =>
  relative(realPathOf(project.root), realPathOf(folder)).split(sep).join("/");

/** Whether the newest work is in the run's tree. */
const isOpen = ({ stage }: TrunkRecord): boolean => stage === "open" || stage === "taking";

/** The spec in a run's tree, if a run has worked on it and was not taken. */
export function findUntaken(spec: Spec): Spec | undefined {
  const place = placeOf(spec);
  const record = place && readTrunkRecord(place);
  if (place === undefined || record === undefined || !isOpen(record)) return undefined;
  if (record.folder !== realPathOf(spec.folder)) return undefined;
  return sameSpecIn(spec, sameProjectIn(spec.project, place.top));
}

/**
 * The spec where its newest work is: in the tree of its run or of its epic's run, until that is taken. What is taken of
 * an epic leaves the trees of specs that have not come back.
 */
export function findWork(home: Spec): Spec {
  const own = findUntaken(home);
  if (own !== undefined) return isFolder(own.folder) ? own : home;
  const name = memberName(home);
  for (const { place, record } of listTrunks(home.project.root)) {
    const isTheirs = record.members[name] !== undefined || !isFolder(home.folder);
    if (!isTheirs || !isHomeOf(home.project, record)) continue;
    const inEpic = sameSpecIn(home, sameProjectIn(home.project, place.top));
    const work = isFolder(inEpic.folder) ? findWork(inEpic) : home;
    if (isOpen(record) ? work !== home : work !== inEpic) return work;
  }
  return home;
}

const isHomeOf = ({ layout, root }: Project, record: TrunkRecord): boolean =>
  record.layout === layout.id && isSameFolder(record.root, root);

/** The project's specs and epics that have a run's work tree, at their place in the user's tree. */
export const listHomes = (project: Project): Spec[] =>
  listTrunks(project.root)
    .filter(({ record }) => record.stage !== "opening" && isHomeOf(project, record))
    .map(({ record }) =>
      specAt(project, join(project.root, relative(realPathOf(project.root), record.folder))),
    );

/** Specs that are only in the trees of runs yet, at the place that they will have in the user's. */
export const listUnborn = (project: Project): Spec[] =>
  listHomes(project)
    .flatMap((home) => {
      if (!isEpicHome(home)) return [home];
      const there = findUntaken(home)?.project;
      return there === undefined ? [] : listSpecs(there).map((spec) => sameSpecIn(spec, project));
    })
    .filter((home) => !isFolder(home.folder) && isFolder(findWork(home).folder));

/** `goOn`: the command with which `run` continues. */
export const tellUntaken = (
  name: string,
  goOn = `${SHELL_PROGRAM} run ${quoteForShell(name)}`,
): { readonly why: string; readonly fix: string } => ({
  why: `a run has worked on "${name}" in its own tree, and its work is not here yet`,
  fix: `${SHELL_PROGRAM} take ${quoteForShell(name)} merges it, ${goOn} continues there, ${SHELL_PROGRAM} discard ${quoteForShell(name)} drops it`,
});

/** The project that a run has begun and that has no specs of its own yet: only the run's record shows it. */
export function findBegunProject(layout: Edition, starts: readonly string[]): Project | undefined {
  const roots = starts.flatMap((start) =>
    listTrunks(start)
      .filter(({ record }) => isOpen(record) && record.layout === layout.id)
      .map(({ record }) => record.root)
      .filter((root) => isSameOrBelow(realPathOf(start), root)),
  );
  const [nearest] = roots.toSorted((a, b) => b.length - a.length);
  return nearest === undefined ? undefined : openProject(layout, nearest);
}

/** Whether this copy of a spec is in a run's tree. */
export function isRunTree({ project }: Pick<Spec, "project">): boolean {
  const trees = treesFolder();
  return trees !== undefined && isSameOrBelow(realPathOf(project.root), trees);
}

/** The user's project, if this is in the tree of a run. */
export function leaveRunTree(start: string): string {
  const top = realPathOf(findGit(start)?.top ?? start);
  const run = listTrunks(start).find(({ place }) => realPathOf(place.top) === top);
  return run === undefined ? start : leaveRunTree(run.record.root);
}

/** The work trees of runs in this repository, and of their tasks. */
export function listRunTrees(start: string): string[] {
  const git = findGit(start);
  const trees = join(vaultFolder() ?? "", "trees");
  if (git === undefined) return [];
  return namesIn(trees)
    .flatMap((name) => namesIn(join(trees, name)).map((tree) => join(trees, name, tree)))
    .slice(0, MAX_TREES)
    .filter((tree) => {
      pinTop(tree);
      const own = findGit(tree);
      return (
        own !== undefined && isSameFolder(own.common, git.common) && isSameFolder(own.top, tree)
      );
    });
}
