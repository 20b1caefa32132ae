import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import type { Caller } from "../hosts/host.ts";
import { dropNumber } from "../spec/name.ts";
import { findNamedSpec, findPeerChoice, findPeerSpec } from "../store/current-spec.ts";
import { findProjectWithSpecs, findTop, openProject, type Project } from "../store/project.ts";
import { findSessionSpec } from "../store/session-spec.ts";
import { isFinished, readState, readTasks } from "../store/spec-files.ts";
import {
  findActiveSpec,
  isFolder,
  listSpecs,
  shownPath,
  type Spec,
  type SpecLookup,
} from "../store/spec.ts";
import { realPathOf } from "../store/vault-place.ts";
import { suggest } from "../text/suggest.ts";
import { Refusal } from "./refusal.ts";
import { commandFor, type Request, waysToBegin } from "./request.ts";
import { findBegunProject, findWork, listRunTrees, listUnborn, tellUntaken } from "./run-trees.ts";

/** The project that a request is about, or a new one that begins here with its first spec. */
export function resolveOrBeginProject(request: Request): Project {
  const found = findProjectFor(request);
  if (found !== undefined) return found;
  const [start = request.cwd] = request.starts;
  const root = findTop(start) ?? start;
  const marked = request.editions.find(
    ({ marker }) => marker !== undefined && existsSync(join(root, marker)),
  );
  return openProject(request.layout ?? marked ?? request.editions[0], root);
}

export function resolveProject(request: Request, name?: string): Project {
  const project = findProjectFor(request, name);
  if (project !== undefined) return project;
  const layout = request.layout ?? request.editions[0];
  throw new Refusal(
    "missing",
    `there is no ${layout.specsDirs[0]}/ in ${request.cwd} or above it`,
    `begin with ${waysToBegin(request, layout)}`,
  );
}

/** The project in use: the one with the named spec, a run, or a pointer. Undefined if there are no specs. */
export function findProjectFor(request: Request, name?: string): Project | undefined {
  const projects = findProjects(request);
  const named =
    name === undefined ? [] : projects.filter((one) => findNamed(one, name).kind === "ok");
  const candidates = named.length > 0 ? named : projects;
  return (
    candidates.find(isRunning) ??
    candidates.find((one) => existsSync(one.pointer)) ??
    // Two layouts may keep specs in the same folder: a marker tells them apart, unless specs are below it too.
    candidates.find(
      (one) =>
        one.layout.marker !== undefined &&
        one.specsDirs.length > 1 &&
        !hasSpecsIn(one, one.specsDirs[0]),
    ) ??
    // `specs` may be a folder of something else, for example of tests.
    (candidates[0] !== undefined && !hasPlan(candidates[0])
      ? candidates.find(hasPlan)
      : undefined) ??
    candidates[0]
  );
}

/** One project for each layout found here; one that a run has begun may have nothing in the user's tree yet. */
export function findProjects({ layout, editions, starts }: Request): Project[] {
  const wanted = layout === undefined ? editions : [layout];
  return wanted
    .map((one) => findProjectWithSpecs(one, starts) ?? findBegunProject(one, starts))
    .filter((project) => project !== undefined);
}

const hasPlan = (project: Project): boolean =>
  listKnown(project).some((spec) => existsSync(findWork(spec).tasks));

/** Every spec of a project, at its place in the user's tree, where some do not exist yet. */
export const listKnown = (project: Project): Spec[] => [
  ...listSpecs(project),
  ...listUnborn(project),
];

/** By name or path, wherever it is. */
export function findNamed(project: Project, word: string): SpecLookup {
  const found = findNamedSpec(project, word);
  if (found.kind !== "none") return found;
  const [only, ...others] = listUnborn(project).filter(({ name, basePath }) =>
    [name, dropNumber(name), basePath].includes(word),
  );
  return only === undefined || others.length > 0 ? found : { kind: "ok", spec: only };
}

/** A folder may hold an index and no specs yet. */
const hasSpecsIn = (project: Project, folder: string): boolean =>
  listSpecs(project).some((spec) => dirname(spec.folder) === folder);

function isRunning(project: Project): boolean {
  const found = findActiveSpec(project);
  return found.kind === "ok" && existsSync(found.spec.state);
}

/** Every spec there is. One that two layouts find belongs to the layout in use. */
export function listAllSpecs(request: Request): Spec[] {
  const inUse = resolveProject(request);
  const others = findProjects(request).filter(({ layout }) => layout !== inUse.layout);
  const seen = new Set<string>();
  return [inUse, ...others].flatMap(listKnown).filter(({ folder }) => {
    const real = realPathOf(folder);
    return !seen.has(real) && seen.add(real);
  });
}

/** Every spec of the project, and their copies in work trees of runs. */
export function listSpecsEverywhere(request: Request): Spec[] {
  const elsewhere = listRunTrees(request.starts[0] ?? request.cwd).flatMap((tree) =>
    request.editions.flatMap((edition) => {
      const project = findProjectWithSpecs(edition, [tree]);
      return project === undefined ? [] : listSpecs(project);
    }),
  );
  const seen = new Set<string>();
  return [...listAllSpecs(request), ...elsewhere].filter(
    ({ folder }) => !seen.has(folder) && seen.add(folder),
  );
}

/** The named spec, or the active one, or the only one there is: where its newest work is. */
export const resolveSpec = (request: Request, name?: string): Spec =>
  findWork(resolvePlace(request, name));

/** The same in the user's own tree, for what changes it. */
export function resolveHome(request: Request, name?: string): Spec {
  const home = resolvePlace(request, name);
  if (isFolder(home.folder)) return home;
  const { why, fix } = tellUntaken(home.name);
  throw new Refusal("refused", why, fix);
}

/** The same at its place in the user's tree, where it may not exist yet. */
export function resolvePlace(request: Request, name?: string): Spec {
  const project = resolveProject(request, name);
  const found = name === undefined ? findUnnamedSpec(request, project) : findNamed(project, name);
  if (found.kind === "ok") return name === undefined ? ownOr(request, found.spec) : found.spec;
  throw explain(request, project, found, name);
}

/**
 * The spec that a command is about if it names none: the current one, or the only one there is. If these are finished,
 * the one that a run has begun since.
 */
export function findUnnamedSpec(request: Request, project: Project): SpecLookup {
  const found = findCurrentSpec(request, project);
  if (found.kind !== "ok" && (found.kind !== "none" || found.unset !== true)) return found;
  const meant = found.kind === "ok" ? [found.spec] : listSpecs(project);
  const begun = meant.every((spec) => isFinished(findWork(spec))) ? listUnborn(project) : [];
  if (begun[0] !== undefined && begun.length === 1) return { kind: "ok", spec: begun[0] };
  if (found.kind === "ok") return found;
  const all = listKnown(project);
  const ready = all.filter((spec) => readTasks(findWork(spec)).kind === "ok");
  const [only, ...others] = ready.length > 0 ? ready : all;
  return only !== undefined && others.length === 0 ? { kind: "ok", spec: only } : found;
}

/**
 * The session's spec, or the active one; without either, the spec that the layout's own tool works on. If nothing is
 * going on in the active one, a feature that the other tool has chosen since is meant.
 */
export function findCurrentSpec({ env, caller }: Request, project: Project): SpecLookup {
  const active = findSessionSpec(project, caller.session);
  if (active.kind === "ok")
    return existsSync(active.spec.state) ? active : (peerChoice(project, caller) ?? active);
  if (active.kind !== "none" || active.unset !== true) return active;
  return findPeerSpec(project, env) ?? active;
}

/** What another session of ours works on was not chosen by the other tool. */
function peerChoice(project: Project, { session }: Caller): SpecLookup | undefined {
  const found = findPeerChoice(project);
  const owner = found?.kind === "ok" ? sessionOf(found.spec) : undefined;
  return owner === undefined || owner === session ? found : undefined;
}

function sessionOf(spec: Spec): string | undefined {
  const file = readState(spec);
  return file.kind === "ok" ? file.state.sessionId : undefined;
}

/** Another session may have activated its own spec: an agent means the one it works on. */
function ownOr({ caller: { session } }: Request, active: Spec): Spec {
  if (session === null || [undefined, session].includes(sessionOf(active))) return active;
  return listSpecs(active.project).find((spec) => sessionOf(spec) === session) ?? active;
}

function explain(
  request: Request,
  project: Project,
  found: Exclude<SpecLookup, { kind: "ok" }>,
  name: string | undefined,
): Refusal {
  const { layout } = project;
  const byPointer = name === undefined;
  if (found.kind === "ambiguous") {
    const paths = found.specs.map((spec) => spec.basePath).join(", ");
    return new Refusal("usage", `that name is ambiguous: ${paths}`, "give the path instead");
  }
  const names = listKnown(project).map((spec) => spec.name);
  const meant = name === undefined ? undefined : suggest(name, names);
  if (meant !== undefined && found.kind === "none")
    return new Refusal("missing", found.why, `did you mean ${meant}?`);
  const known =
    names.length > 0 ? `there are: ${names.join(", ")}` : `there are no ${layout.unit}s yet`;
  const pointer = shownPath(project, project.pointer);
  const fix =
    names.length > 0
      ? `${known}; name one of them, or ${commandFor(request, layout, "switch")} <name> makes one active`
      : `${known}; begin with ${waysToBegin(request, layout)}`;
  const isStale = byPointer && found.kind === "none" && found.unset !== true;
  const why = isStale ? `${pointer} is out of date, ${found.why}` : found.why;
  if (found.kind !== "refused") return new Refusal("missing", why, fix);
  return new Refusal(byPointer ? "broken" : "usage", why, fix);
}
