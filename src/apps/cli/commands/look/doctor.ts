import { homedir } from "node:os";
import { join } from "node:path";
import type { Diagnostic } from "../../../../text/diagnostic.ts";
import { layouts } from "../../../../layouts/layout.ts";
import { clean, oneLine } from "../../../../text/template.ts";
import { findProjectWithSpecs } from "../../../../store/project.ts";
import { type Command, type Context, EXIT } from "../../command.ts";
import { checkClaude, checkNode, readClaudeVersion } from "../../../../engine/doctor/clients.ts";
import { checkConflicts } from "../../../../engine/doctor/conflicts.ts";
import { checkProject } from "../../../../engine/doctor/project.ts";
import { checkVault } from "../../../../engine/doctor/trust.ts";
import { startsOf } from "../../../../engine/resolve-spec.ts";
import { paint, type Paint } from "../../paint.ts";

export const doctor: Command = {
  name: "doctor",
  summary: "check node, the client, other plugins, settings, pointers and state",
  group: "look",
  details: "Exits with 1 when there is an error. Every finding comes with what mends it.",
  run(context) {
    const findings = readFindings(context);
    const failed = findings.some(({ severity }) => severity === "error");
    return {
      code: failed ? EXIT.refused : EXIT.ok,
      text: findings.map((finding) => renderFinding(finding, paint(context.colour))).join("\n"),
      json: { ok: !failed, findings },
    };
  },
};

export function readFindings(context: Context): Diagnostic[] {
  const wanted = context.layout === undefined ? layouts : [context.layout];
  const projects = wanted
    .map((layout) => findProjectWithSpecs(layout, startsOf(context)))
    .filter((project) => project !== undefined);
  const config = context.env["CLAUDE_CONFIG_DIR"] ?? join(homedir(), ".claude");
  return [
    checkNode(process.versions.node),
    checkClaude(readClaudeVersion(context.env as NodeJS.ProcessEnv)),
    checkVault(),
    ...checkConflicts(projects[0]?.root ?? context.cwd, config),
    ...projects.flatMap(checkProject),
    ...(projects.length === 0
      ? [
          {
            severity: "info",
            code: "project",
            message: `no specs in ${context.cwd} or above it`,
          } as const,
        ]
      : []),
  ];
}

function renderFinding(
  { severity, message, target, fix }: Diagnostic,
  { good, dim, warn, bad }: Paint,
): string {
  const mark = {
    ok: good("ok     "),
    info: dim("info   "),
    warning: warn("warning"),
    error: bad("error  "),
  }[severity];
  const where = target === undefined ? "" : ` ${dim(`(${clean(target)})`)}`;
  return `${mark} ${oneLine(message, 500)}${where}${fix === undefined ? "" : `\n        → ${clean(fix)}`}`;
}
