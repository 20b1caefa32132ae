import { diagnose } from "../../../../engine/doctor/doctor.ts";
import type { Diagnostic } from "../../../../text/diagnostic.ts";
import { clean, oneLine } from "../../../../text/template.ts";
import type { Command } from "../../command.ts";
import { paint, type Paint } from "../../paint.ts";

export const doctor: Command = {
  summary: "check the setup, and say how to fix it",
  details: "Exits with 1 when there is an error. Every finding says how to fix it.",
  async run(context) {
    const findings = await diagnose(context);
    return {
      ok: !findings.some(({ severity }) => severity === "error"),
      text: findings.map((finding) => renderFinding(finding, paint(context.colour))).join("\n"),
      json: { findings },
    };
  },
};

export function renderFinding(
  { severity, message, target, fix }: Diagnostic,
  { good, dim, warn, bad }: Paint,
): string {
  // Two spaces after the longest: a line that wraps continues below the second column.
  const mark = {
    ok: good("ok      "),
    info: dim("info    "),
    warning: warn("warning "),
    error: bad("error   "),
  }[severity];
  const where = target === undefined ? "" : ` ${dim(`(${clean(target)})`)}`;
  return `${mark} ${oneLine(message, 500)}${where}${fix === undefined ? "" : `\n         → ${clean(fix)}`}`;
}
