import { activateSpec } from "../../../../engine/activate-spec.ts";
import { requireUserWhileOn } from "../../../../engine/authority.ts";
import { commandFor } from "../../../../engine/request.ts";
import { findCurrentSpec, resolveProject } from "../../../../engine/resolve-spec.ts";
import { standingOf } from "../../../../engine/standing.ts";
import { listSpecs } from "../../../../store/spec.ts";
import type { Command, Context, Input, Result } from "../../command.ts";
import { nameOf, specOf } from "../../named-spec.ts";
import { paint } from "../../paint.ts";

export const switchSpec: Command = {
  name: "switch",
  summary: "make another spec the active one; without a name, list them",
  args: ["[spec]"],
  group: "plan",
  details:
    "A name found in several folders of specs_dirs is listed with its paths; give one of these instead. A run of the\npreviously active spec is paused; resume continues it.",
  run(context, input) {
    const [name] = input.args;
    return name === undefined ? list(context, input) : change(context, input, name);
  },
};

function change(context: Context, input: Input, name: string): Result {
  const spec = specOf(context, input, name);
  requireUserWhileOn(context, spec, "switch");
  const notes = activateSpec(context, spec);
  const { layout } = spec.project;
  const line = `${layout.unit} "${spec.name}" is active now: ${standingOf(spec)}.`;
  const next = `${commandFor(context, layout, "start")} resumes it.`;
  return {
    text: [...notes, line, next].join("\n"),
    json: { ok: true, spec: spec.name, path: spec.basePath, standing: standingOf(spec), notes },
  };
}

function list(context: Context, input: Input): Result {
  const project = resolveProject(context, nameOf(input));
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
