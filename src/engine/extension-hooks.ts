import { existsSync } from "node:fs";
import { join } from "node:path";
import { renderDueHooks, renderOfferedHooks, type ToldHook } from "../prompts/hooks.ts";
import { type ExtensionHook, parseHooks } from "../spec/extension-hooks.ts";
import { numberIn } from "../spec/name.ts";
import { findGit, readBranch } from "../store/git-files.ts";
import { readObject } from "../store/peer-options.ts";
import { readProjectFile } from "../store/project-file.ts";
import type { Project } from "../store/project.ts";
import { MAX_BYTES } from "../store/read.ts";
import type { Spec } from "../store/spec.ts";
import { branchFor } from "./numbering.ts";

/** A step that extensions may want something before and after, and the spec it is about, if there is one. */
interface HookedStep {
  readonly project: Project;
  readonly spec?: Spec;
  /** `plan`, `implement`, `clarify`, … */
  readonly step: string;
}

/** What to tell the agent that does the step. Empty in a layout without extensions. */
export function tellHooks(at: HookedStep): string[] {
  const [before, after] = [readHooks(at, "before"), readHooks(at, "after")];
  return [
    ...renderDueHooks("Before anything else", before),
    ...renderOfferedHooks("before", before),
    ...renderDueHooks("Once all of this is done", after),
    ...renderOfferedHooks("after", after),
  ];
}

/** The same where nobody is there to be offered anything: what has to be run now. */
export const tellDueHooks = (at: HookedStep, ...whens: readonly ("before" | "after")[]): string[] =>
  renderDueHooks(
    "Before anything else",
    whens.flatMap((when) => readHooks(at, when)),
  );

/** When a run has ended: what has to be run now, and what the user may run. */
export function tellEndHooks(spec: Spec): string[] {
  const hooks = readHooks({ project: spec.project, spec, step: "implement" }, "after");
  return [...renderDueHooks("Before anything else", hooks), ...renderOfferedHooks("after", hooks)];
}

function readHooks({ project, spec, step }: HookedStep, when: "before" | "after"): ToldHook[] {
  const { peer } = project.layout;
  if (peer === undefined) return [];
  const path = join(project.root, peer.hooks);
  const file = readProjectFile(project, path, MAX_BYTES.settings);
  if (file.kind !== "ok") return [];
  const hooks = parseHooks(file.text, `${when}_${step}`);
  if (hooks.length === 0) return [];
  // Set up for skills, a client knows the same commands under other names.
  const asSkills = readObject(project, peer.options, JSON.parse)["ai_skills"] === true;
  return hooks.flatMap((hook) => {
    const isBranch = hook.command === BRANCH_COMMAND && spec !== undefined;
    if (isBranch && isOnBranch(spec)) return [];
    const note = isBranch
      ? `The branch: GIT_BRANCH_NAME=${branchFor(project, spec.name)}`
      : undefined;
    return [{ ...hook, note, file: fileOf(project, hook), invocation: nameOf(hook, asSkills) }];
  });
}

const nameOf = ({ command }: ExtensionHook, asSkill: boolean): string =>
  asSkill && command.startsWith("speckit.") ? `/${command.replaceAll(".", "-")}` : `/${command}`;

function fileOf(
  { root, layout }: Project,
  { extension, command }: ExtensionHook,
): string | undefined {
  const path = `${layout.peer?.extensions}/${extension}/commands/${command}.md`;
  return existsSync(join(root, path)) ? path : undefined;
}

/** Makes the branch of a feature, numbered by what exists: here the feature's folder already does. */
const BRANCH_COMMAND = "speckit.git.feature";

function isOnBranch({ project, name }: Spec): boolean {
  const last = readBranch(findGit(project.root))?.split("/").at(-1) ?? "";
  return last === name || (numberIn(name) !== "" && numberIn(last) === numberIn(name));
}
