import { existsSync, realpathSync, statSync } from "node:fs";
import { relative, resolve } from "node:path";
import { defaultSettings, type Settings } from "../run/settings.ts";
import { comparePlan } from "../spec/compare-plan.ts";
import { withLock } from "../store/lock.ts";
import { readProjectFile, writeProjectFile } from "../store/project-file.ts";
import { type Encoding, type FileText, MAX_BYTES, readText } from "../store/read.ts";
import type { Spec } from "../store/spec.ts";
import { writeWhole } from "../store/write.ts";
import { lintTasks } from "../tasks/lint/lint.ts";
import type { TaskList } from "../tasks/model.ts";
import { parseTasks } from "../tasks/parse.ts";
import type { LineDiagnostic } from "../text/diagnostic.ts";
import { Refusal } from "./refusal.ts";
import { isInClient, type Request } from "./request.ts";
import { resolveSpec } from "./resolve-spec.ts";
import { readSpecIntent } from "./spec-facts.ts";

/** A `tasks.md` to view or rearrange, whether or not a run is on. */
export interface TaskFile {
  /** As the user would write it. */
  readonly shown: string;
  readonly path: string;
  readonly encoding: Encoding;
  readonly list: TaskList;
  readonly settings: Settings;
  /** The spec it belongs to, if it was found by its spec. */
  readonly spec: Spec | undefined;
}

/** The active spec's file, that of the named spec, or the file itself. */
export function openTaskFile(
  request: Request,
  target: string | undefined,
  resolveWith = resolveSpec,
): TaskFile {
  const file = target === undefined ? undefined : fileAt(resolve(request.cwd, target));
  if (file !== undefined) return read(request, file, undefined);
  const spec = resolveWith(request, target);
  return read(request, spec.tasks, spec);
}

function fileAt(path: string): string | undefined {
  try {
    return statSync(path).isFile() ? path : undefined;
  } catch {
    return undefined; // Not a file, so it must be the name of a spec.
  }
}

function read(request: Request, path: string, spec: Spec | undefined): TaskFile {
  const shown = relative(request.cwd, path) || path;
  const file = readNow(path, spec);
  if (file.kind === "absent")
    throw new Refusal("missing", `${shown} does not exist`, howToWrite(request, spec));
  if (file.kind === "unreadable")
    throw new Refusal("broken", `${shown} cannot be read: ${file.why}`, "fix that and try again");
  const settings = spec?.project.settings ?? defaultSettings;
  return { shown, path, encoding: file.encoding, list: parseTasks(file.text), settings, spec };
}

const howToWrite = (request: Request, spec: Spec | undefined): string =>
  spec === undefined || isInClient(request)
    ? "write the tasks first"
    : `${spec.project.layout.voice.command("tasks")} in the client writes it`;

/** A file that the user names may be anywhere; a spec's file is in its project. */
const readNow = (path: string, spec: Spec | undefined): FileText =>
  spec === undefined
    ? readText(path, MAX_BYTES.tasks)
    : readProjectFile(spec.project, path, MAX_BYTES.tasks);

/** Whether it has an active run. */
export const isRunning = ({ spec }: TaskFile): boolean =>
  spec !== undefined && existsSync(spec.state);

/** Must not overwrite a box that someone has ticked since we looked. */
export function writeTaskFile(file: TaskFile, text: string): void {
  const write = (): void => {
    const now = readNow(file.path, file.spec);
    if (now.kind === "ok" && now.text !== file.list.lines.join("")) {
      throw new Refusal("refused", `${file.shown} has changed in the meantime`, "try again");
    }
    if (file.spec === undefined) writeWhole(realpathSync(file.path), text, file.encoding);
    else writeProjectFile(file.spec.project, file.path, text, file.encoding);
  };
  if (file.spec === undefined) write();
  else withLock(file.spec.lock, write);
}

/** What is wrong with a task list, and where it does not fit the goal of its spec. */
export function lintPlan({ list, spec }: TaskFile): LineDiagnostic[] {
  if (spec === undefined) return lintTasks(list);
  const changeIntent = `\`${spec.project.layout.voice.program} set intent\``;
  const { small, ...found } = readSpecIntent(spec);
  return [...lintTasks(list), ...comparePlan(found, list, { changeIntent, small })];
}
