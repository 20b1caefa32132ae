import { Refusal } from "../../../../engine/refusal.ts";
import { epicOf, resolveEpic, sayUntie } from "../../../../engine/resolve-epic.ts";
import { type Blocker, type EpicPlan, isOpen, type PlannedSpec } from "../../../../epic/plan.ts";
import { readEpicPlan } from "../../../../epic/standing.ts";
import type { Edition } from "../../../../layouts/layout.ts";
import { type EpicRunStanding, readEpicRun } from "../../../../runner/epic/epic-standing.ts";
import { goOnCommand, lastOptions } from "../../../../runner/go-on.ts";
import { dropNumber } from "../../../../spec/name.ts";
import { formatCycle } from "../../../../tasks/order/cycles.ts";
import { oneLine } from "../../../../text/template.ts";
import { counted, SHELL_PROGRAM } from "../../../../text/wording.ts";
import { stringOption } from "../../arguments.ts";
import type { Command, Context } from "../../command.ts";
import { paint, type Paint } from "../../paint.ts";
import { EPIC_OPTION } from "./epic.ts";

export const epicStatus: Command = {
  summary: "the specs of the epic: what is done, what is next, what waits for what",
  args: ["[epic]"],
  run(context, input) {
    const { name, project, basePath, goal, plan, run } = look(context, input.args[0]);
    const { layout, root } = project;
    const { bold, dim, warn } = paint(context.colour);
    const { specs, next, done, cancelled, cycles } = plan;
    const given = cancelled > 0 ? `, ${cancelled} cancelled` : "";
    const lines = [
      `${bold(oneLine(name))} ${dim(oneLine(basePath))}  ${done} of ${counted(specs.length, "spec")} done${given}`,
      ...(goal === "" ? [] : [oneLine(goal, 160)]),
      ...renderRows(plan, run, paint(context.colour)),
      ...(next === undefined
        ? [warn(oneLine(whyNoNext(name, plan), 1000))]
        : run === undefined
          ? [`→ ${startOf(layout, next)}`]
          : []),
      ...tellRun(name, root, run, plan),
    ];
    return {
      text: lines.join("\n"),
      json: {
        epic: name,
        path: basePath,
        goal,
        total: specs.length,
        done,
        cancelled,
        next: next?.name ?? null,
        todo: next === undefined ? null : startOf(layout, next),
        why: next === undefined ? whyNoNext(name, plan) : null,
        specs,
        cycles,
        run:
          run === undefined ? null : { id: run.run ?? null, branch: run.branch, specs: run.specs },
      },
    };
  },
};

export const epicNext: Command = {
  summary: "the next spec that can be worked on, and its goal",
  options: EPIC_OPTION,
  details: "Exits with 3 when there is none, and says why.",
  run(context, input) {
    const { name, plan, project } = look(context, stringOption(input, "epic"));
    const { next } = plan;
    if (next === undefined) {
      throw new Refusal("missing", whyNoNext(name, plan), fixOf(context, name, plan));
    }
    const goal = next.goal === undefined ? "" : `: ${oneLine(next.goal, 1000)}`;
    return {
      text: `${oneLine(next.name)}${goal}`,
      json: {
        epic: name,
        spec: next.name,
        goal: next.goal ?? null,
        status: next.status,
        todo: startOf(project.layout, next),
      },
    };
  },
};

function look(context: Context, wanted: string | undefined) {
  const place = resolveEpic(context, wanted);
  const run = readEpicRun(place);
  const there = run?.place ?? place;
  const epic = epicOf(context, there);
  return { ...place, goal: epic.goal, plan: readEpicPlan(there.project, epic), run };
}

/** Who works on it, or what to do with what is done. */
function tellRun(
  name: string,
  root: string,
  run: EpicRunStanding | undefined,
  plan: EpicPlan,
): string[] {
  if (run === undefined) return [];
  const { run: id, branch } = run;
  const word = oneLine(name);
  if (id !== undefined) return [`→ a run works on it: ${SHELL_PROGRAM} watch ${id}`];
  const goOn = plan.specs.some(({ status }) => isOpen(status))
    ? `${goOnCommand([word], lastOptions(root, name))} continues, `
    : "";
  return [`→ its run is on ${branch}: ${goOn}${SHELL_PROGRAM} take ${word} brings what is done`];
}

const startOf = (layout: Edition, { name }: PlannedSpec): string =>
  `${layout.voice.command("start")} ${oneLine(name)}`;

function renderRows(
  { specs, next }: EpicPlan,
  run: EpicRunStanding | undefined,
  { bold, dim, good, accent }: Paint,
): string[] {
  const names = specs.map(({ name }) => oneLine(name, 40));
  const width = Math.max(0, ...names.map((name) => name.length));
  return specs.map((spec, i) => {
    const name = (names[i] as string).padEnd(width);
    const size = oneLine(spec.size ?? "", 3).padEnd(2);
    if (spec.status === "completed") return `${good("✓")} ${bold(name)} ${dim(size)} done`;
    if (spec.status === "cancelled") return `✗ ${bold(name)} ${dim(`${size} cancelled`)}`;
    const own = run?.specs.find((one) => [one.name, dropNumber(one.name)].includes(spec.name));
    const far = own === undefined ? "" : `, ${own.done} of ${counted(own.total, "task")}`;
    const begun =
      own !== undefined || spec.status === "in_progress"
        ? [`${own?.isOn === true ? "running" : "in progress"}${far}`]
        : [];
    const blockers = spec.blockedBy.map(sayBlocker).join(" and ");
    const waits = blockers === "" ? [] : [`waiting for ${blockers}`];
    const said = [...begun, ...waits, ...(spec === next ? ["next"] : [])].join(", ") || "ready";
    const goal = spec.goal === undefined ? "" : dim(`: ${oneLine(spec.goal, 70)}`);
    return `${spec === next ? accent("▶") : "·"} ${bold(name)} ${dim(size)} ${said}${goal}`;
  });
}

const sayBlocker = ({ name, why }: Blocker): string =>
  ({
    open: oneLine(name, 40),
    cancelled: `${oneLine(name, 40)}, which is cancelled`,
    unknown: `${oneLine(name, 40)}, which is not in the epic`,
  })[why];

/** Each ending has its own words: done, empty, or blocked by something that nobody will ever do. */
function whyNoNext(name: string, plan: EpicPlan): string {
  const { specs, cancelled, cycles } = plan;
  if (specs.length === 0) return `epic "${name}" has no specs yet`;
  const open = specs.filter(({ status }) => isOpen(status));
  if (open.length === 0)
    return `every spec of epic "${name}" is ${cancelled > 0 ? "done or cancelled" : "done"}`;
  const stuck = open.flatMap((spec) =>
    spec.blockedBy
      .filter(({ why }) => why !== "open")
      .map((blocker) => `${spec.name} waits for ${sayBlocker(blocker)}`),
  );
  const circles = cycles.map((cycle) => `these wait for each other: ${formatCycle(cycle)}`);
  return `no spec of epic "${name}" can be worked on: ${[...circles, ...stuck].join("; ")}`;
}

function fixOf({ program }: Context, name: string, plan: EpicPlan): string | undefined {
  const [cycle] = plan.cycles;
  if (plan.specs.length === 0) return `${program} epic add <spec> --goal "…" adds one`;
  if (!plan.specs.some(({ status }) => isOpen(status))) return undefined;
  if (cycle !== undefined) return sayUntie(program, name, cycle);
  return `add what is missing, restart what is cancelled, or unblock the others with ${program} epic remove <spec> --unlink`;
}
