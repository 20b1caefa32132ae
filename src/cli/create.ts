import { existsSync, mkdirSync, readdirSync } from "node:fs";
import { join, resolve } from "node:path";
import { classifyIntent, type IntentId, intentOf } from "../core/intent.ts";
import { nameFrom, numberedName, uniqueName, whyNoName } from "../core/name.ts";
import { relatedSpecs } from "../core/related.ts";
import type { Raw } from "../core/state.ts";
import { clean, fill } from "../prompts/template.ts";
import progressTemplate from "../prompts/templates/progress.md";
import { readGoal } from "../store/documents.ts";
import type { Project } from "../store/project.ts";
import { codeOf } from "../store/read.ts";
import { listSpecs, shownPath, type Spec, specAt } from "../store/spec.ts";
import { writeWhole } from "../store/write.ts";
import { CliError, type Context, EXIT } from "./command.ts";

export interface Wanted {
  readonly name: string | undefined;
  /** That very name, or none; otherwise a number behind it will do. */
  readonly exact: boolean;
  readonly goal: string;
  /** One of the folders that are configured; by default where new specs go. */
  readonly folder: string | undefined;
  readonly intent: IntentId | undefined;
  /** What the user has already written, as text. */
  readonly given: string | undefined;
}

export interface Created {
  readonly spec: Spec;
  /** What the state is to know of it. */
  readonly state: Raw;
}

/** Makes a spec's folder and its notes. Nothing that exists is ever overwritten. */
export function createSpec(context: Context, project: Project, wanted: Wanted): Created {
  const folder = folderFor(project, wanted.folder);
  const others = listSpecs(project).map((spec) => ({ name: spec.name, goal: readGoal(spec) }));
  const spec = claim(project, folder, nameOf(project, wanted), wanted.exact);
  const classified = classifyIntent(wanted.goal);
  const intent = wanted.intent === undefined ? classified.intent : intentOf(wanted.intent);
  const why =
    wanted.intent === undefined
      ? `by its words (${classified.matched.join(", ") || "none that tell"}; ${classified.confidence} confidence)`
      : "as the user said";
  const related = relatedSpecs(wanted.goal, others, 3);
  writeWhole(
    spec.progress,
    fill(progressTemplate, {
      name: spec.name,
      date: context.now().at.slice(0, 10),
      goal: clean(wanted.goal).trim(),
      intent: `${intent.id}, ${why}`,
      related:
        related
          .map(({ name, relevance, reason }) => `- ${name} [${relevance}]: ${reason}`)
          .join("\n") || "None.",
    }),
  );
  if (wanted.given !== undefined) writeWhole(join(spec.folder, project.layout.given), wanted.given);
  return {
    spec,
    state: {
      intent: intent.id,
      ...(related.length > 0 ? { relatedSpecs: related } : {}),
      ...(wanted.given === undefined ? {} : { source: "plan" }),
    },
  };
}

/** A name for it that nothing has yet. */
export const freeName = (project: Project, wanted: Wanted): string =>
  free(project, nameOf(project, wanted));

/** A folder of another kind takes its name too, and so does a spec in another of the configured folders. */
function free(project: Project, name: string): string {
  const taken = project.specsDirs.flatMap(namesIn);
  return project.layout.id === "speckit" ? numberedName(name, taken) : uniqueName(name, taken);
}

function nameOf(project: Project, { name, goal }: Wanted): string {
  if (name === undefined) return nameFrom(goal) ?? project.layout.unit;
  const wrong = whyNoName(name);
  if (wrong !== undefined) throw new CliError(EXIT.usage, wrong.why, wrong.fix);
  return name;
}

/** Making the folder is what claims the name: two sessions cannot both make it. */
function claim(project: Project, folder: string, name: string, exact: boolean): Spec {
  mkdirSync(folder, { recursive: true });
  for (;;) {
    const chosen = free(project, name);
    if (exact && chosen !== name && !chosen.endsWith(`-${name}`)) throw exists(project, name);
    try {
      mkdirSync(join(folder, chosen));
      return specAt(project, join(folder, chosen));
    } catch (error) {
      if (codeOf(error) !== "EEXIST") throw error;
    }
  }
}

const exists = ({ layout }: Project, name: string): CliError =>
  new CliError(
    EXIT.refused,
    `there is a ${layout.unit} "${name}" already`,
    `${layout.plugin} start ${name} goes on with it; --fresh makes another`,
  );

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

function folderFor(project: Project, wanted: string | undefined): string {
  const { root, specsDirs, layout, settings } = project;
  if (wanted !== undefined) {
    const folder = resolve(root, wanted);
    if (specsDirs.includes(folder)) return folder;
    const known = specsDirs.map((one) => shownPath(project, one)).join(", ");
    throw new CliError(
      EXIT.usage,
      `${wanted} is not one of this project's folders for ${layout.unit}s`,
      `these are: ${known}; specs_dirs in ${layout.settingsFile} adds others`,
    );
  }
  const [first] = specsDirs;
  if (layout.id === "specum" || settings.specsDirs.length > 0) return first;
  // Where the features are that there are; `specify init` leaves them to specs/.
  const made = specsDirs.find((folder) => existsSync(folder));
  const isInit = ["templates", "memory", "scripts"].some((name) =>
    existsSync(join(root, ".specify", name)),
  );
  return made ?? (isInit ? (specsDirs.at(-1) as string) : first);
}
