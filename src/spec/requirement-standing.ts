import type { TaskClass } from "../run/claim/verdict.ts";
import { isRed } from "../tasks/tags.ts";
import { oneLine } from "../text/template.ts";
import type { CoverageDiagnostic, CoveredRequirement } from "./coverage.ts";
import { showId } from "./requirement-ids.ts";

/**
 * As for a task. `open`: work on it is left. `unproven`: nothing is behind its ticked tasks. Null: it has no task and
 * needs none.
 */
export type RequirementStanding = (typeof RANKS)[number] | "open" | "unproven" | null;

/** Each requirement by its own tasks, then by the [VERIFY] task that checks these, then by its parts. */
export function planStandings(
  requirements: readonly CoveredRequirement[],
  classOf: (index: number) => TaskClass,
): ReadonlyMap<string, RequirementStanding> {
  const byId = new Map(requirements.map((one) => [one.requirement.id, one]));
  const known = new Map<string, RequirementStanding>();
  const judge = (tasks: CoveredRequirement["tasks"]): RequirementStanding =>
    summarize(tasks.map(({ index }) => classOf(index)));
  const judgeOne = (one: CoveredRequirement): RequirementStanding => {
    const { tasks, own, checks, isRequired } = one;
    const work = own.filter((task) => !isRed(task));
    const direct = judge(work);
    // Nobody ran anything for a reported task: what checks it says more.
    const isChecked = direct === "reported" && checks.length > 0;
    if (work.length > 0 && direct !== "unproven" && !isChecked) return direct;
    const isFailed = work.some(({ index }) => classOf(index) === "failed");
    if (!isFailed && checks.length > 0) return judge(checks);
    if (work.length > 0) return "unproven";
    const parts = one.parts.map((id) => byId.get(id)).filter((part) => part !== undefined);
    const needed = parts.filter((part) => part.isRequired || part.tasks.length > 0);
    if (needed.length > 0 && tasks.length > 0) return weakest(needed.map(standingFor));
    if (tasks.length === 0) return isRequired ? "unproven" : null;
    const others = tasks.filter((task) => !isRed(task));
    if (others.length > 0) return judge(others);
    return tasks.some(({ checked }) => !checked) ? "open" : "unproven";
  };
  // A part is on a lower level than what it is part of, so this ends.
  const standingFor = (one: CoveredRequirement): RequirementStanding => {
    const { id } = one.requirement;
    const standing = known.get(id) ?? judgeOne(one);
    known.set(id, standing);
    return standing;
  };
  for (const one of requirements) standingFor(one);
  return known;
}

/** From the strongest proof to the weakest. */
const RANKS = ["proven", "accepted", "checked", "reported"] as const;

/** Of several tasks for the same thing, the strongest proves it, unless one failed or is still open. */
function summarize(classes: readonly TaskClass[]): RequirementStanding {
  if (classes.includes("open") || classes.includes("skipped")) return "open";
  if (classes.includes("failed")) return "unproven";
  return RANKS.find((rank) => classes.includes(rank)) ?? "unproven";
}

/** All parts are needed. */
function weakest(standings: readonly RequirementStanding[]): RequirementStanding {
  if (standings.includes("open")) return "open";
  if (standings.includes("unproven")) return "unproven";
  return RANKS.findLast((rank) => standings.includes(rank)) ?? "unproven";
}

/** What only [RED] tasks name. If another task of it is not proven, that is an error of its own and said there. */
export function checkStandings(
  requirements: readonly CoveredRequirement[],
  standings: ReadonlyMap<string, RequirementStanding>,
): CoverageDiagnostic[] {
  return requirements
    .filter(({ requirement: { id }, tasks, checks, isRequired }) => {
      const isRedOnly = tasks.length > 0 && checks.length === 0 && tasks.every(isRed);
      return isRequired && isRedOnly && standings.get(id) === "unproven";
    })
    .map(({ requirement: { written, title, line, file: part }, tasks }) => ({
      severity: "error",
      code: "unproven-requirement",
      message: `${showId(written)}${title === "" ? "" : ` (${oneLine(title, 50)})`} is named only by [RED] tasks (${tasks.map(({ id }) => id).join(", ")}): that a test fails proves nothing.`,
      fix: "Name it in the task that makes the test pass, or in a [VERIFY] task.",
      about: written,
      file: "requirements",
      ...(part === undefined ? {} : { part }),
      line,
    }));
}
