import { EXECUTION } from "../../core/layout.ts";
import { inferPhase } from "../../core/phases.ts";
import { oneLine } from "../../prompts/template.ts";
import { readState, readTasks } from "../../store/disk.ts";
import { hasDocument } from "../../store/documents.ts";
import { listSpecs, type Spec } from "../../store/spec.ts";
import { makeActive } from "../active.ts";
import { type Command, type Context, type Input, type Result } from "../command.ts";
import { findCurrentSpec, inWords, openProject, openSpec } from "../open.ts";
import { paint } from "../paint.ts";

export const switchSpec: Command = {
  name: "switch",
  summary: "make another spec the active one; without a name, list them",
  args: ["[spec]"],
  group: "plan",
  details:
    "A name that several folders of specs_dirs have is listed with its paths; give one of these instead. A run of the spec\nthat was active is paused, and goes on with resume.",
  run(context, input) {
    const [name] = input.args;
    return name === undefined ? list(context, input) : change(context, input, name);
  },
};

function change(context: Context, input: Input, name: string): Result {
  const spec = openSpec(context, input, name);
  const notes = makeActive(context, spec);
  const { layout } = spec.project;
  const line = `${layout.unit} "${spec.name}" is active now: ${standingOf(spec)}.`;
  const next = `${inWords(context, layout, "start")} goes on with it.`;
  return {
    text: [...notes, line, next].join("\n"),
    json: { ok: true, spec: spec.name, path: spec.basePath, standing: standingOf(spec), notes },
  };
}

function list(context: Context, input: Input): Result {
  const project = openProject(context, input.options["spec"] as string | undefined);
  const active = findCurrentSpec(context, project);
  const { bold, dim, accent } = paint(context.colour);
  const specs = listSpecs(project).map((spec) => ({
    spec: spec.name,
    path: spec.basePath,
    standing: standingOf(spec),
    active: active.kind === "ok" && active.spec.folder === spec.folder,
  }));
  const width = Math.max(0, ...specs.map(({ spec }) => spec.length));
  const lines = specs.map(
    ({ spec, path, standing, active: isActive }) =>
      `${isActive ? accent("▶") : " "} ${bold(spec.padEnd(width))}  ${standing}  ${dim(path)}`,
  );
  return {
    text: lines.join("\n") || `there are no ${project.layout.unit}s yet`,
    json: { ok: true, specs },
  };
}

/** Where a spec stands, in a few words. */
export function standingOf(spec: Spec): string {
  const { layout } = spec.project;
  const file = readState(spec);
  const tasks = readTasks(spec);
  const all = tasks.kind === "ok" ? tasks.list.tasks : [];
  const done = all.filter((task) => task.checked).length;
  if (file.kind === "ok" && file.state.phase !== undefined && file.state.phase !== EXECUTION) {
    const waits = file.state.awaitingApproval === true ? ", waits for approval" : "";
    return `phase ${oneLine(file.state.phase, 40)}${waits}`;
  }
  if (all.length > 0) {
    if (done === all.length) return `finished, ${all.length} tasks`;
    return `${file.kind === "absent" ? "ready" : "execution"}, ${done} of ${all.length} tasks`;
  }
  const phase = inferPhase(layout, (name) => hasDocument(spec, name));
  return typeof phase === "string" ? phase : `before ${phase.name}`;
}
