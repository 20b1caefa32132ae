import { basename, dirname, join, relative, resolve, sep } from "node:path";
import { type Foreign, NotAList } from "../spec/import/foreign.ts";
import { type ImportPlan, planImport } from "../spec/import/plan-import.ts";
import { readJsonList } from "../spec/import/read-json.ts";
import { readMarkdownList } from "../spec/import/read-markdown.ts";
import { explainBadName, makeName, makeUnique } from "../spec/name.ts";
import { isBelow } from "../store/containment.ts";
import { findNamedSpec } from "../store/current-spec.ts";
import { writeProgressSection } from "../store/progress.ts";
import { makeProjectFolder, writeProjectFile } from "../store/project-file.ts";
import type { Project } from "../store/project.ts";
import { reservedIn, type Spec } from "../store/spec.ts";
import { createSpec, orRemove } from "./create-spec.ts";
import { refuseReserved } from "./numbering.ts";
import { Refusal } from "./refusal.ts";
import type { Request } from "./request.ts";
import { readGivenText } from "./start-facts.ts";
import { refuseDisabled } from "./with-run.ts";

/** Of a list that somebody is to work through. */
const MAX_TEXT = 4 << 20;

export interface ImportRequest {
  readonly path: string;
  readonly name: string | undefined;
  /** Which of several lists in the file. */
  readonly tag: string | undefined;
  readonly reopen: boolean;
  readonly dryRun: boolean;
}

export interface Imported {
  readonly plan: ImportPlan;
  readonly format: string;
  readonly name: string;
  /** Undefined if nothing was written. */
  readonly spec?: Spec;
}

/** Makes a spec of another tool's list, which is left as it is. Nothing is started, and nothing is overwritten. */
export function importList(request: Request, project: Project, wanted: ImportRequest): Imported {
  refuseDisabled(project);
  const place = resolve(request.cwd, wanted.path);
  // What an agent names must be in the project; the user may name any file.
  if (request.caller.authority === "agent" && !isBelow(place, project.root))
    throw new Refusal(
      "refused",
      `${wanted.path} is outside of the project`,
      "the user can import it in a shell",
    );
  const { text } = readGivenText(request, project, wanted.path);
  if (text.length > MAX_TEXT)
    throw new Refusal(
      "usage",
      `${wanted.path} is too long for a list of tasks`,
      "split it, and import the parts",
    );
  const foreign = readForeign(text, place, wanted);
  const name = nameOf(project, foreign, place, wanted.name);
  const plan = planImport(project.layout, foreign, {
    name,
    source: shownSource(project, place),
    reopen: wanted.reopen,
  });
  const imported = { plan, format: foreign.format, name };
  if (wanted.dryRun) return imported;
  const goal = foreign.goal ?? foreign.title ?? name.replaceAll("-", " ");
  const { spec } = createSpec(request, project, {
    name,
    goal,
    exact: true,
    folder: undefined,
    given: undefined,
    intent: undefined,
  });
  return orRemove(spec, () => {
    for (const [file, content] of Object.entries(plan.files)) {
      const path = join(spec.folder, file);
      makeProjectFolder(project, dirname(path));
      writeProjectFile(project, path, content);
    }
    writeProgressSection(spec, "Imported", renderNotes(shownSource(project, place), plan));
    return { ...imported, name: spec.name, spec };
  });
}

const renderNotes = (source: string, { left }: ImportPlan): string =>
  left.length === 0
    ? `From ${source}; all of it was carried over.`
    : [`From ${source}. Not carried over:`, "", ...left.map((one) => `- ${one}`)].join("\n");

function readForeign(text: string, place: string, { tag, path }: ImportRequest): Foreign {
  try {
    return /\.json$/i.test(place) || /^\s*\uFEFF?[[{]/.test(text)
      ? readJsonList(text, tag)
      : readMarkdownList(text);
  } catch (error) {
    if (!(error instanceof NotAList)) throw error;
    throw new Refusal("usage", `${path} cannot be imported: ${error.why}`, error.fix);
  }
}

/** As asked for, or after what the file says it is about, or after the file. */
function nameOf(
  project: Project,
  { title, goal }: Foreign,
  place: string,
  asked: string | undefined,
): string {
  const wrong = asked === undefined ? undefined : explainBadName(asked);
  if (wrong !== undefined) throw new Refusal("usage", wrong.why, wrong.fix);
  const file = basename(place).replace(/\.\w+$/, "");
  const folder = basename(dirname(place)).replace(/^\./, "");
  const isPlain = /^(?:tasks?|prd|todo|list)$/i.test(file);
  const made =
    makeName(title ?? "") ??
    (isPlain ? makeName(goal ?? "") : undefined) ??
    makeName(isPlain ? `${folder} ${file}` : file) ??
    "imported";
  const name = asked ?? makeUnique(made, reservedIn(project));
  if (!project.layout.numbered) refuseReserved(project, name);
  if (findNamedSpec(project, name).kind === "none") return name;
  throw new Refusal(
    "refused",
    `there is already a ${project.layout.unit} "${name}"`,
    "--name gives the import another name",
  );
}

/** Absolute paths of other people's machines do not belong into a repository. */
const shownSource = ({ root }: Project, place: string): string =>
  isBelow(place, root) ? relative(root, place).split(sep).join("/") : basename(place);
