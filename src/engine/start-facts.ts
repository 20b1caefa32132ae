import { statSync } from "node:fs";
import { resolve } from "node:path";
import { readActiveEpic } from "../epic/standing.ts";
import type { ProjectFacts } from "../spec/interpret-words.ts";
import { isBelow } from "../store/containment.ts";
import { readProjectFile } from "../store/project-file.ts";
import type { Project } from "../store/project.ts";
import { MAX_BYTES, readText } from "../store/read.ts";
import { isFinished } from "../store/spec-files.ts";
import type { Spec } from "../store/spec.ts";
import type { GivenText } from "./create-spec.ts";
import { isElsewhere } from "./neighbours.ts";
import { Refusal } from "./refusal.ts";
import type { Request } from "./request.ts";
import { findCurrentSpec, findNamed, listKnown } from "./resolve-spec.ts";
import { findWork } from "./run-trees.ts";

/** What the words after `start` may mean in this project. */
export function readStartFacts(request: Request, project: Project): ProjectFacts {
  const specs = listKnown(project);
  const active = findCurrentSpec(request, project);
  return {
    isSpec: (word) => ["ok", "ambiguous"].includes(findNamed(project, word).kind),
    active: active.kind === "ok" && !isDone(active.spec) ? active.spec.basePath : undefined,
    unfinished: specs
      .filter((spec) => !isDone(spec) && !isElsewhere(spec, request.caller.session))
      .map((spec) => wordFor(spec, specs)),
    epicNext: readActiveEpic(project)?.planned.next?.name,
    isFile: (word) =>
      /\.\w+$/.test(word) &&
      statSync(resolve(request.cwd, word), { throwIfNoEntry: false })?.isFile() === true,
  };
}

const isDone = (spec: Spec): boolean => isFinished(findWork(spec));

/** Its name, unless another one has the same. */
const wordFor = (spec: Spec, all: readonly Spec[]): string =>
  all.some(({ name, folder }) => name === spec.name && folder !== spec.folder)
    ? spec.basePath
    : spec.name;

/** The user may name any file, but a file named by the project must be inside it. */
export function readGivenText({ cwd }: Request, project: Project, path: string): GivenText {
  const place = resolve(cwd, path);
  const file = isBelow(place, project.root)
    ? readProjectFile(project, place, MAX_BYTES.document)
    : readText(place, MAX_BYTES.document);
  if (file.kind !== "ok") {
    const why = file.kind === "unreadable" ? `: ${file.why}` : "";
    throw new Refusal("broken", `${path} cannot be read${why}`);
  }
  if (file.text.trim() === "" || file.text.includes("\0")) {
    const what = file.text.trim() === "" ? "is empty" : "is not text";
    throw new Refusal("usage", `${path} ${what}`, "write what you want to build into it");
  }
  return file;
}
