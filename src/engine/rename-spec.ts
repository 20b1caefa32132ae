import { existsSync, realpathSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { specInEpic } from "../epic/standing.ts";
import { renameBranch } from "../git/branch.ts";
import { commitRename } from "../git/commit.ts";
import { EXECUTION } from "../layouts/layout.ts";
import { currentLoop, type Now } from "../run/loop.ts";
import { isProvisional } from "../run/provisional-name.ts";
import { explainBadName, makeUnique, nameFromWords, numberIn } from "../spec/name.ts";
import { movePeerPointer } from "../store/current-spec.ts";
import { findGit, readBranch } from "../store/git-files.ts";
import { withLock } from "../store/lock.ts";
import { renameProgress } from "../store/progress.ts";
import { moveProjectFolder, removeProjectFile } from "../store/project-file.ts";
import { applyWrite, isFinished, readAllEntries, readDisk } from "../store/spec-files.ts";
import { findActiveSpec, namesIn, reservedIn, type Spec, specAt } from "../store/spec.ts";
import { renameInVault } from "../store/vault-copy.ts";
import { writePointer } from "./activate-spec.ts";
import { requireUser } from "./authority.ts";
import { requireRemovable } from "./cancel-run.ts";
import { branchFor, refuseReserved } from "./numbering.ts";
import { Refusal } from "./refusal.ts";
import type { Request } from "./request.ts";
import { refuseForeign, refuseStranger } from "./with-run.ts";

export interface Renaming {
  /** The spec as it is now. */
  readonly spec: Spec;
  readonly before: string;
  /** What else has happened, in sentences. */
  readonly notes: readonly string[];
}

/**
 * Gives a spec another name. The user may do so until its tasks are worked on, an agent once, if nobody has chosen the
 * name. A number stays as it is.
 */
export function renameSpec(request: Request, spec: Spec, words: string): Renaming {
  const isAgent = request.caller.authority === "agent";
  const { state: file, last } = readDisk(spec);
  const state = file.kind === "ok" ? file.state : {};
  if (!isAgent || !isProvisional(spec.project.layout, state)) requireUser(request, spec, "rename");
  else {
    refuseStranger(request, readDisk(spec), spec);
    refuseForeign(request, spec, currentLoop(state, last, request.now()));
  }
  return moveSpec(spec, words, isAgent ? "agent" : "user", request.now());
}

/** The same, for whoever may. */
export function moveSpec(spec: Spec, words: string, by: "agent" | "user", now: Now): Renaming {
  const { project } = spec;
  refuseBegun(spec);
  const { out = {} } = readDisk(spec).last?.loop ?? {};
  if (by === "agent" && Object.keys(out).length > 0)
    throw new Refusal("refused", "an agent is working in its folder", "keep the name");
  const real = requireRemovable(spec);
  if (basename(real) !== spec.name)
    throw new Refusal("refused", `${spec.basePath} is a link`, "rename what it leads to");
  return withLock(join(dirname(project.pointer), project.layout.lockFile), () =>
    withLock(spec.lock, () => {
      const name = chooseName(spec, words, by);
      return name === spec.name ? { spec, before: name, notes: [] } : move(spec, name, by, now);
    }),
  );
}

function chooseName(spec: Spec, words: string, by: "agent" | "user"): string {
  const { unit } = spec.project.layout;
  const plain = nameFromWords(words);
  if (plain === undefined) {
    const { why, fix } = explainBadName(words) ?? {
      why: `"${words}" has too many words for a name`,
      fix: "two to four are best, like user-login",
    };
    throw new Refusal("usage", why, fix);
  }
  const name = numberIn(spec.name) + plain;
  const taken = spec.project.specsDirs.flatMap(namesIn).filter((one) => one !== spec.name);
  if (by === "agent") return makeUnique(name, [...reservedIn(spec.project), ...taken]);
  refuseReserved(spec.project, name);
  if (!taken.some((one) => one.toLowerCase() === name)) return name;
  throw new Refusal("refused", `${unit} "${name}" already exists`, "choose another name");
}

/** The folder goes first; whatever names it follows, and what cannot is said. */
function move(spec: Spec, name: string, by: "agent" | "user", now: Now): Renaming {
  const { project } = spec;
  const disk = readDisk(spec);
  const active = findActiveSpec(project);
  const isActive = active.kind === "ok" && active.spec.folder === spec.folder;
  const branch = branchFor(project, spec.name);
  const isOnBranch = readBranch(findGit(project.root)) === branch;
  const from = realpathSync(spec.folder);
  const there = specAt(project, join(dirname(spec.folder), name));
  renameInVault(spec, name, () => moveProjectFolder(project, from, join(dirname(from), name)));
  try {
    if (isActive) writePointer(there);
    movePeerPointer(spec, there);
    if (disk.state.kind === "ok") {
      const { nameBy: _, ...raw } = disk.state.raw as Record<string, unknown>;
      const said = { name, basePath: there.basePath, ...(by === "agent" ? { nameBy: by } : {}) };
      const loop = currentLoop(disk.state.state, disk.last, now);
      const note = `${spec.name} → ${name}, by the ${by}`;
      applyWrite(
        there,
        { ...disk.state, raw },
        { event: "renamed", note, loop, state: said },
        now.at,
      );
    }
    const fault = renameProgress(there, spec.name);
    return {
      spec: there,
      before: spec.name,
      notes: [
        ...(fault === undefined ? [] : [`.progress.md still has the old name: ${fault}.`]),
        ...followInGit(
          spec,
          there,
          isOnBranch ? branch : undefined,
          disk.state.kind === "ok" && disk.state.state.commitSpec === true,
        ),
      ],
    };
  } finally {
    // The lock has moved along, where its holder does not look for it.
    removeProjectFile(project, there.lock);
  }
}

function followInGit(
  spec: Spec,
  there: Spec,
  branch: string | undefined,
  commits: boolean,
): string[] {
  const { project } = there;
  const message = `docs(${there.name}): renamed from ${spec.name}`;
  const made = commits ? commitRename(there, spec.name, message) : undefined;
  const to = branchFor(project, there.name);
  const fault = branch === undefined ? undefined : renameBranch(project.root, branch, to);
  return [
    ...(made?.kind === "committed" ? [`Commit ${made.sha}.`] : []),
    ...(made?.kind === "failed" ? [`The move is not committed: ${made.why}.`] : []),
    ...(branch === undefined
      ? []
      : [
          fault === undefined
            ? `The branch is ${to} now.`
            : `The branch is still ${branch}: ${fault}.`,
        ]),
  ];
}

/** Commits, checkpoints and proof of tasks name the spec. */
function refuseBegun(spec: Spec): void {
  const { layout } = spec.project;
  const { state } = readDisk(spec);
  const isBegun =
    (state.kind === "ok" && state.state.phase === EXECUTION) ||
    (existsSync(spec.tasks) && isFinished(spec)) ||
    readAllEntries(spec).some(({ event }) => event === "start");
  if (isBegun)
    throw new Refusal(
      "refused",
      `the tasks of "${spec.name}" have been worked on, and their proof names it`,
      `keep the name, or start another ${layout.unit}`,
    );
  const epic = specInEpic(spec.project, spec.name)?.epic;
  if (epic !== undefined)
    throw new Refusal(
      "refused",
      `"${spec.name}" is a part of the epic ${epic.name}, which named it`,
      "keep the name",
    );
}
