import { formatChoice } from "../../run/agent-choice.ts";
import type { RunOptions } from "../../runner/options.ts";
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
  { target, first, steps, waiting }: RunPlan,
  options: Pick<RunOptions, "agents">,
): Result {
  const refusal = refusalIn(checks);
  const style = paint(colour);
  const agents = [...new Set(Object.values(options.agents).flat().map(formatChoice))];
  const what = first.length > 0 ? first.join(", ") : counted(steps.flat().length, "open task");
  const text = [
    ...checks.map((one) => renderFinding(one, style)),
    "",
    `${target}: ${what}, by ${agents.join(", ") || "nobody"}`,
    ...steps.flatMap((step, i) =>
      step.map(({ id, title }, at) => {
        const number = (at === 0 ? `${i + 1}.` : "").padEnd(String(steps.length).length + 1);
        return `  ${number} ${step.length === 1 ? "" : "∥ "}${id} ${oneLine(title, 100)}`;
      }),
    ),
    ...(waiting.length === 0 ? [] : [`  waiting for you: ${waiting.join(", ")}`]),
    refusal === undefined ? "Nothing was started." : "A run would not start: see error.",
  ].join("\n");
  const plan = { target, first, steps, waiting, agents };
  return {
    ok: refusal === undefined,
    ...(refusal && { code: EXIT[refusal.kind] }),
    text,
    json: { checks, plan },
  };
}
