import { type AgentChoice, formatChoice } from "../../run/agent-choice.ts";
import { refusalIn } from "../../runner/preflight.ts";
import type { RunPlan } from "../../runner/run-plan.ts";
import type { Diagnostic } from "../../text/diagnostic.ts";
import { oneLine } from "../../text/template.ts";
import { counted } from "../../text/wording.ts";
import { type Context, EXIT, type Result } from "../cli/command.ts";
import { renderFinding } from "../cli/commands/look/doctor.ts";
import { paint } from "../cli/paint.ts";

/** `run --dry-run`: everything that was checked, and what a run would do. */
export function showDryRun(
  { colour }: Pick<Context, "colour">,
  checks: readonly Diagnostic[],
  plan: RunPlan,
): Result {
  const refusal = refusalIn(checks);
  const style = paint(colour);
  const end = refusal === undefined ? "Nothing was started." : "A run would not start: see error.";
  return {
    code: refusal === undefined ? EXIT.ok : EXIT[refusal.kind],
    text: [...checks.map((one) => renderFinding(one, style)), "", ...planLines(plan), end].join(
      "\n",
    ),
    json: { ok: refusal === undefined, checks, plan },
  };
}

function planLines(plan: RunPlan): string[] {
  const { target, documents, steps, specs, waiting, done, parallel, agents } = plan;
  const count = steps.flat().length;
  const after = done === 0 ? "" : `, ${done} done`;
  const head =
    specs.length > 0
      ? counted(specs.length, "spec")
      : documents.length > 0
        ? `${documents.join(", ")} first, then its tasks`
        : `${counted(count, "open task")}${after}, ${parallel === 1 ? "one at a time" : `up to ${parallel} at the same time`}`;
  const width = String(steps.length).length + 1;
  return [
    `${target}: ${head}`,
    ...specs.map(({ name, after: names }) =>
      names.length === 0 ? `  ${name}` : `  ${name}, after ${names.join(" and ")}`,
    ),
    ...steps.flatMap((step, i) =>
      step.map(({ id, title }, at) => {
        const number = at === 0 ? `${i + 1}.` : "";
        const group = step.length === 1 ? "" : "∥ ";
        return `  ${number.padEnd(width)} ${group}${id} ${oneLine(title, 100)}`;
      }),
    ),
    ...(waiting.length === 0 ? [] : [`  waiting for you: ${waiting.join(", ")}`]),
    ...agentLines(agents),
  ];
}

/** Kinds of work with the same agents share a line. */
function agentLines(agents: RunPlan["agents"]): string[] {
  const say = (choices: readonly AgentChoice[]): string =>
    choices.map(formatChoice).join(", then ") || "nobody";
  const all = Object.entries(agents).map(([kind, choices]) => ({ kind, names: say(choices) }));
  const names = [...new Set(all.map((one) => one.names))];
  if (names.length === 1) return [`by ${names[0]}`];
  return names.map((who) => {
    const kinds = all.filter((one) => one.names === who).map(({ kind }) => kind);
    return `${kinds.join(", ")}: by ${who}`;
  });
}
