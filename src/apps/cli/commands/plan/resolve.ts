import { resolvePoints } from "../../../../engine/open-points.ts";
import { Refusal } from "../../../../engine/refusal.ts";
import { formatPoint } from "../../../../spec/open-points.ts";
import type { Command } from "../../command.ts";
import { specOf } from "../../named-spec.ts";

export const resolve: Command = {
  name: "resolve",
  summary: "take answered points off the list of open ones",
  args: ["<number…>"],
  group: "agent",
  details:
    "The numbers are those in the prompt of a phase and in status. Where a point was settled, a document says it; this\nonly removes its line under `## Open Questions` in .progress.md.",
  run(context, input) {
    const numbers = input.args.flatMap((word) => word.split(/[\s,]+/)).filter(Boolean);
    const wrong = numbers.find((word) => !/^\d{1,4}$/.test(word));
    if (wrong !== undefined)
      throw new Refusal("usage", `"${wrong}" is not a number`, "status counts the open points");
    const spec = specOf(context, input);
    const points = resolvePoints(spec, numbers.map(Number));
    return {
      text: points.map((point) => `Settled: ${formatPoint(point)}`).join("\n"),
      json: { ok: true, spec: spec.name, path: spec.basePath, settled: points },
    };
  },
};
