import { existsSync, realpathSync } from "node:fs";
import { dirname, join } from "node:path";
import { type Layout, layouts, slash, speckit, specum } from "../layouts/layout.ts";
import { readState, readTasks } from "../store/spec-files.ts";
import {
  findProjectWithSpecs,
  findTop,
  openProject as beginProject,
  type Project,
} from "../store/project.ts";
import { findActiveSpec, type Found, listSpecs, shownPath, type Spec } from "../store/spec.ts";
import { findNamedSpec, findSpecKitFeature } from "../store/speckit.ts";
import { CliError, type Context, EXIT, type Input } from "../apps/cli/command.ts";

/** The project that a command is about, or the one that begins here: with the first spec there is. */
export function openOrBegin(context: Context): Project {
  const found = findOpenProject(context);
  if (found !== undefined) return found;
  const [start = context.cwd] = startsOf(context);
  const root = findTop(start) ?? start;
  const isSpecKit = existsSync(join(root, speckit.pointerIn));
  return beginProject(context.layout ?? (isSpecKit ? speckit : specum), root);
}

/** The project that a command is about. Plugins know their layout; `smart-ralph` looks which one is in use. */
export function openProject(context: Context, name?: string): Project {
  const project = findOpenProject(context, name);
  if (project !== undefined) return project;
  const layout = context.layout ?? specum;
  throw new CliError(
    EXIT.missing,
    `there is no ${layout.specsDirs[0]}/ in ${context.cwd} or above it`,
    `begin with ${inWords(context, layout, "start")} "<what you want to build>"`,
  );
}

/** Undefined where there are no specs yet. */
export function findOpenProject(context: Context, name?: string): Project | undefined {
  const projects = findProjects(context);
  const named =
    name === undefined ? [] : projects.filter((one) => findNamedSpec(one, name).kind === "ok");
  const candidates = named.length > 0 ? named : projects;
  return (
    candidates.find(isRunning) ??
    candidates.find((one) => existsSync(one.pointer)) ??
    // Spec Kit keeps features in specs/ too; what tells it apart is its own folder, without specs of its own in it.
    candidates.find(
      (one) => one.layout.pointerIn === ".specify" && !hasSpecsIn(one, one.specsDirs[0]),
    ) ??
    candidates[0]
  );
}

/** A folder may hold an index and no specs yet. */
const hasSpecsIn = (project: Project, folder: string): boolean =>
  listSpecs(project).some((spec) => dirname(spec.folder) === folder);

const wantedLayouts = ({ layout }: Context): readonly Layout[] =>
  layout === undefined ? layouts : [layout];

const findProjects = (context: Context): Project[] =>
  wantedLayouts(context)
    .map((layout) => findProjectWithSpecs(layout, startsOf(context)))
    .filter((project) => project !== undefined);

/** Every spec there is. One that both layouts find belongs to the layout that is in use. */
export function openSpecs(context: Context): Spec[] {
  const inUse = openProject(context, undefined);
  const others = findProjects(context).filter(({ layout }) => layout !== inUse.layout);
  const seen = new Set<string>();
  return [inUse, ...others].flatMap(listSpecs).filter(({ folder }) => {
    const real = realpathSync(folder);
    return !seen.has(real) && seen.add(real);
  });
}

/** Commands look where the hook looks: an agent may be in a repository of its own when it reports a task. */
export const startsOf = ({ env, cwd }: Context): string[] =>
  env["CLAUDE_PROJECT_DIR"] ? [env["CLAUDE_PROJECT_DIR"], cwd] : [cwd];

function isRunning(project: Project): boolean {
  const found = findActiveSpec(project);
  return found.kind === "ok" && existsSync(found.spec.state);
}

/** The spec that is named, or the active one, or the only one there is. */
export function openSpec(context: Context, input: Input, name?: string): Spec {
  const option = input.options["spec"] as string | undefined;
  if (name !== undefined && option !== undefined) {
    throw new CliError(EXIT.usage, "the spec is named twice", "name it once");
  }
  const wanted = name ?? option;
  const project = openProject(context, wanted);
  const found =
    wanted === undefined ? findCurrentSpec(context, project) : findNamedSpec(project, wanted);
  if (found.kind === "ok") return wanted === undefined ? ownOr(context, found.spec) : found.spec;
  if (found.kind === "none" && found.unset === true) {
    const all = listSpecs(project);
    const ready = all.filter((spec) => readTasks(spec).kind === "ok");
    const [only, ...others] = ready.length > 0 ? ready : all;
    if (only !== undefined && others.length === 0) return only;
  }
  throw explain(context, project, found, wanted === undefined);
}

/** The active spec; where none was made active, the one that Spec Kit's own scripts would take. */
export function findCurrentSpec({ env }: Context, project: Project): Found {
  const active = findActiveSpec(project);
  if (active.kind !== "none" || active.unset !== true) return active;
  return findSpecKitFeature(project, env) ?? active;
}

/** Another session may have made its own spec the active one: an agent means the one that it works on. */
function ownOr(context: Context, active: Spec): Spec {
  const session = sessionOf(context);
  const isOf = (spec: Spec): string | undefined => {
    const file = readState(spec);
    return file.kind === "ok" ? file.state.sessionId : undefined;
  };
  if (session === null || [undefined, session].includes(isOf(active))) return active;
  return listSpecs(active.project).find((spec) => isOf(spec) === session) ?? active;
}

function explain(
  context: Context,
  project: Project,
  found: Exclude<Found, { kind: "ok" }>,
  byPointer: boolean,
): CliError {
  const { layout } = project;
  if (found.kind === "ambiguous") {
    const paths = found.specs.map((spec) => spec.basePath).join(", ");
    return new CliError(EXIT.usage, `that name is ambiguous: ${paths}`, "give the path instead");
  }
  const names = listSpecs(project).map((spec) => spec.name);
  const known =
    names.length > 0 ? `there are: ${names.join(", ")}` : `there are no ${layout.unit}s yet`;
  const pointer = shownPath(project, project.pointer);
  const fix = `${known}; name one with ${implementation(context, layout)} <${layout.unit}>, or put its name into ${pointer}`;
  const named = byPointer && found.kind === "none" && found.unset !== true;
  const why = named ? `${pointer} is out of date, ${found.why}` : found.why;
  const refusal = byPointer ? EXIT.broken : EXIT.usage;
  return new CliError(found.kind === "refused" ? refusal : EXIT.missing, why, fix);
}

/** A command in the words of whoever reads it: in a client, or in a shell. */
export const inWords = (context: Context, layout: Layout, command: string): string =>
  isInClient(context) ? slash(layout, command) : `${context.program} ${command}`;

export const isInClient = ({ caller }: Context): boolean =>
  caller.session !== null || caller.authority === "agent";

export const implementation = (context: Context, layout: Layout): string =>
  inWords(context, layout, "implement");

/** The client session that this was typed or run in; a plain shell has none. */
export const sessionOf = ({ caller }: Context): string | null => caller.session;
