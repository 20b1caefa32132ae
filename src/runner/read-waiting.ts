import { isPending, readInboxes } from "../engine/inbox.ts";
import { readSpecFacts } from "../engine/read-facts.ts";
import { isCurrent, readApproval } from "../engine/read-status.ts";
import { type Request, voiceFor } from "../engine/request.ts";
import { findUntaken } from "../engine/run-trees.ts";
import { fateIn, readStanding, UNMANNED } from "../engine/standing.ts";
import { isHeld, listTrunks, placeOf, treesFolder } from "../engine/trunk-record.ts";
import type { SpecFacts } from "../facts/spec-facts.ts";
import { planWaiting, type Waiting, type WaitingFacts } from "../facts/waiting.ts";
import { commitOf, hasBranch } from "../git/own-tree.ts";
import type { Disk } from "../run/decision.ts";
import { isSameOrBelow } from "../store/containment.ts";
import { readDisk } from "../store/spec-files.ts";
import { isFolder, type Spec } from "../store/spec.ts";
import { realPathOf } from "../store/vault-place.ts";
import { parseTasks } from "../tasks/parse.ts";
import { quoteName } from "../text/quote.ts";
import { lastCommand } from "./go-on.ts";
import { listRuns, newestOf } from "./run-list.ts";

/** What waits for the user in these specs, each where its newest work is. */
export const readWaiting = (request: Request, specs: readonly Spec[]): Waiting[] =>
  planWaiting(specs.map((spec) => readWaitingFacts(request, spec)));

export function readWaitingFacts(
  request: Request,
  spec: Spec,
  known?: Pick<SpecFacts, "tasks" | "unproven">,
): WaitingFacts {
  const { project, name } = spec;
  const disk = { ...readDisk(spec), layout: voiceFor(request, project.layout) };
  const list = disk.tasks.kind === "ok" ? disk.tasks.list : parseTasks("");
  const { tasks, unproven } = known ?? readSpecFacts(spec, list);
  const fate = fateIn(disk);
  const isAlive = fate?.kind === "at-work";
  const isFinished = tasks.length > 0 && tasks.every(({ ticked }) => ticked);
  const { command } = disk.layout.voice;
  return {
    spec: name,
    command,
    isActive: isCurrent(request, spec),
    approval: readApproval(request, spec),
    entries: readInboxes([spec])
      .filter(isPending)
      .map(({ entry }) => entry),
    tasks,
    unproven: isFinished && !isAlive && endedUnproven(spec) ? unproven : [],
    stopped: isFinished ? undefined : stopOf(spec, disk),
    lost: findLost(spec),
    branch: isAlive || !tasks.some(({ ticked }) => ticked) ? undefined : findBranch(spec),
  };
}

/** Why nobody works on it although it is not over. A run that has ended waits for nobody. */
function stopOf(spec: Spec, disk: Disk): WaitingFacts["stopped"] {
  if (disk.state.kind !== "ok") return undefined;
  const { standing, why } = readStanding(spec, disk, false);
  const fate = fateIn(disk);
  const isOver = fate !== undefined && fate.kind !== "at-work" && standing !== "from elsewhere";
  const isUnmanned = standing === UNMANNED;
  if (standing !== "stopped" && !isOver && !isUnmanned) return undefined;
  const goOn =
    fate === undefined && !isUnmanned
      ? `${disk.layout.voice.command("resume")} ${quoteName(spec.name)}`
      : lastCommand(spec.project.root, spec.name);
  return { goOn, why: standing === "stopped" ? why : null };
}

/** Whether its newest run ended so, here: once its work is taken, the user has decided. */
function endedUnproven({ project, name }: Spec): boolean {
  const runs = listRuns(undefined, project.root);
  const run = newestOf(runs.filter(({ info }) => info.specs.includes(name)));
  return (
    run?.info.status === "unproven" &&
    isSameOrBelow(realPathOf(project.root), realPathOf(run.info.tree))
  );
}

/** The user's spec, if its run's tree was removed and the branch was not. */
function findLost(spec: Spec): WaitingFacts["lost"] {
  const { project, name } = spec;
  const place = findUntaken(spec) && placeOf(spec);
  if (place === undefined || isFolder(place.top)) return undefined;
  if (commitOf(project.root, place.branch) === undefined) return undefined;
  return { branch: place.branch, goOn: lastCommand(project.root, name) };
}

/** The branch of the run in whose tree the spec is; that of an epic's spec is merged by its run. */
function findBranch({ project: { root } }: Spec): WaitingFacts["branch"] {
  const trees = treesFolder();
  if (trees === undefined || !isSameOrBelow(realPathOf(root), trees)) return undefined;
  const found = listTrunks(root).find(
    ({ place, record }) =>
      isSameOrBelow(realPathOf(root), realPathOf(place.top)) &&
      !isSameOrBelow(record.root, trees) &&
      !isHeld(record),
  );
  if (found === undefined || hasBranch(found.record.root, found.place.branch)) return undefined;
  return { name: found.record.spec, branch: found.place.branch };
}
