import { type EpicPlan, isOpen, type PlannedSpec } from "../../epic/plan.ts";
import { formatCycle } from "../../tasks/order/cycles.ts";
import { oneLine } from "../../text/template.ts";
import type { DriveEnd } from "../do-job.ts";

/** The specs that can be begun now. */
export const listReady = ({ specs }: EpicPlan, taken: readonly string[]): PlannedSpec[] =>
  specs.filter(
    ({ name, status, blockedBy }) =>
      isOpen(status) && blockedBy.length === 0 && !taken.includes(name),
  );

/** How an epic's run ends: finished only if every spec is on its branch. `left` has the specs that got stuck or wait. */
export function judgeEpic(
  plan: EpicPlan,
  left: ReadonlyMap<string, DriveEnd>,
  fatal: DriveEnd | undefined,
): DriveEnd {
  const open = plan.specs.filter(({ status }) => isOpen(status));
  if (open.length === 0)
    return plan.done > 0
      ? { status: "finished", text: "" }
      : { status: "stuck", text: "the epic has no spec to work on" };
  if (fatal !== undefined) return fatal;
  const text = open.map((spec) => tellOpen(spec, left.get(spec.name))).join("; ");
  const isWaiting = left.size > 0 && [...left.values()].every(({ status }) => status === "waits");
  const cycles = plan.cycles.map((cycle) => `${formatCycle(cycle)} wait for each other`);
  return {
    status: isWaiting ? "waits" : "stuck",
    text: oneLine([...cycles, text].join("; "), 500),
  };
}

function tellOpen({ name, blockedBy }: PlannedSpec, end: DriveEnd | undefined): string {
  if (end !== undefined) return `${name}: ${end.text === "" ? end.status : end.text}`;
  const names = blockedBy.map((one) => one.name).join(" and ");
  return names === "" ? `${name} was not begun` : `${name} waits for ${names}`;
}

/** What is left to do, in a sentence. */
export function tellEpic(name: string, plan: EpicPlan): string {
  const ready = listReady(plan, []).map((spec) => spec.name);
  const blocked = plan.specs.filter(({ blockedBy }) => blockedBy.length > 0);
  const done = plan.done === 0 ? "" : `, ${plan.done} done`;
  const waits = blocked.map((spec) => tellOpen(spec, undefined));
  return oneLine(
    `epic ${name}${done}: ${[ready.length === 0 ? "nothing is ready" : `ready: ${ready.join(", ")}`, ...waits].join("; ")}`,
    500,
  );
}
