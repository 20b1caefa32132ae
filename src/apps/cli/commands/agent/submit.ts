import type { Loop } from "../../../../run/journal.ts";
import { type Phase, slash } from "../../../../layouts/layout.ts";
import { commandAfter, phaseNamed } from "../../../../layouts/phases.ts";
import { LIMITS } from "../../../../run/state.ts";
import { quoteName, quotePath } from "../../../../text/quote.ts";
import { renderFindings } from "../../../../prompts/phase.ts";
import type { Spec } from "../../../../store/spec.ts";
import { readFindings } from "../../../../engine/check-documents.ts";
import { CliError, type Command, EXIT, type Result } from "../../command.ts";
import { commitDocument } from "../../../../engine/document-commit.ts";
import { openSpec } from "../../../../engine/resolve-spec.ts";
import { type Run, withRun } from "../../../../engine/run.ts";

export const submit: Command = {
  name: "submit",
  summary: "the phase's document is written: check it, and wait for the user's approval",
  args: ["[spec]"],
  group: "agent",
  details:
    "Refuses a document with missing sections, unresolved placeholders, tasks that lint refuses, or requirements no task\nrefers to. One that passes is committed where the spec's documents are, and waits for approval; in quick mode the next\nphase follows at the end of the turn.",
  run(context, input) {
    const spec = openSpec(context, input, input.args[0]);
    return withRun(context, spec, (run) => {
      const { layout } = spec.project;
      const phase = phaseNamed(layout, run.state.phase);
      if (phase === undefined) {
        throw new CliError(
          EXIT.missing,
          `${quoteName(spec.name)} is in no phase that ends with a document`,
          `begin one, for example with ${slash(layout, "start")} ${quoteName(spec.name)}`,
        );
      }
      const findings = readFindings(spec, phase.document);
      return findings.length > 0 ? refuse(run, phase, findings) : accept(run, phase);
    });
  },
};

/** In quick mode the stop counts the rounds. */
function refuse({ apply, loop, spec, state }: Run, phase: Phase, findings: string[]): Result {
  const round = (loop.attempts[phase.document] ?? 0) + 1;
  const counted: Loop = { ...loop, attempts: { ...loop.attempts, [phase.document]: round } };
  const isQuick = state.quickMode === true;
  if (!isQuick) {
    apply({ event: "refused", task: phase.document, note: findings[0] as string, loop: counted });
  }
  return {
    code: EXIT.refused,
    text: `${quotePath(spec.basePath)}/${phase.document} is not finished:\n${renderFindings(findings)}\n${adviceFor(spec, phase, round, isQuick)}`,
    json: { ok: false, spec: spec.name, document: phase.document, round, findings },
  };
}

/** Nobody watches quick mode: the agent must stop, or nothing bounds how often it tries. */
function adviceFor({ project }: Spec, { agent }: Phase, round: number, isQuick: boolean): string {
  if (isQuick) return "End your turn; this is handed back to you.";
  return round >= LIMITS.documentRounds
    ? "This was refused several times: tell the user what is missing, and end your turn."
    : `Send this back to \`${project.layout.plugin}:${agent}\`, then submit again.`;
}

function accept({ apply, loop, spec, state }: Run, phase: Phase): Result {
  const { layout } = spec.project;
  const { [phase.document]: _, ...attempts } = loop.attempts;
  const commit = commitDocument(spec, state, phase);
  const json = { ok: true, spec: spec.name, document: phase.document, ...commit.json };
  if (state.quickMode === true) {
    return {
      text: `${phase.document} is complete${commit.said}. End your turn; the next phase is handed to you.`,
      json,
    };
  }
  const reason = `${phase.document} is ready`;
  apply({
    event: "awaiting",
    note: reason,
    loop: { ...loop, attempts },
    state: { awaitingApproval: true, approvalReason: reason },
  });
  const next = slash(layout, commandAfter(layout, phase));
  return {
    text: `${phase.document} is complete${commit.said} and waits for the user's approval. Tell them what it says in at most ten lines; ${next} approves it and goes on. End your turn.`,
    json: { ...json, next },
  };
}
