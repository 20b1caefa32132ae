import type { Phase } from "../layouts/layout.ts";
import { commandAfter, phaseNamed, phasesOf } from "../layouts/phases.ts";
import type { Entry, Loop } from "../run/journal.ts";
import { LIMITS } from "../run/state.ts";
import type { Spec } from "../store/spec.ts";
import { quoteName } from "../text/quote.ts";
import { readFindings } from "./check-documents.ts";
import { commitDocument, type CommittedDocument } from "./document-commit.ts";
import { Refusal } from "./refusal.ts";
import type { Request } from "./request.ts";
import { type Run, withRun } from "./with-run.ts";

/** The result of submitting a phase's document. In quick mode the loop continues on its own. */
export type Submission =
  | {
      readonly kind: "refused";
      readonly phase: Phase;
      readonly isQuick: boolean;
      readonly findings: readonly string[];
      readonly round: number;
      /** What the journal says about it, if it says anything. */
      readonly entry: Entry | undefined;
      /** Refused so often that the user should know. */
      readonly isLast: boolean;
    }
  | {
      readonly kind: "accepted";
      readonly phase: Phase;
      readonly isQuick: boolean;
      readonly commit: CommittedDocument;
      /** The command that approves it. */
      readonly next: string;
    };

/** Checks the document of the current phase; one that passes is committed and waits for approval. */
export const submitDocument = (
  request: Request,
  spec: Spec,
  /** The sub-agent that wrote it, if we heard it ourselves. */
  heard?: { readonly agent: string },
): Submission =>
  withRun(request, spec, (run) => {
    const { layout } = spec.project;
    const phase = phaseNamed(phasesOf(layout, run.state), run.state.phase);
    if (phase === undefined) {
      throw new Refusal(
        "missing",
        `${quoteName(spec.name)} is not in a phase that ends with a document`,
        `start one, for example with ${layout.voice.command("start")} ${quoteName(spec.name)}`,
      );
    }
    const findings = readFindings(spec, phase.document);
    return findings.length > 0 ? refuse(run, phase, findings, heard) : accept(run, phase);
  });

/** In quick mode the stop counts the rounds, and an agent that is sent back at once is still in its first. */
function refuse(
  { apply, loop, state }: Run,
  phase: Phase,
  findings: string[],
  heard: { readonly agent: string } | undefined,
): Submission {
  const round = (loop.attempts[phase.document] ?? 0) + 1;
  const counted: Loop = { ...loop, attempts: { ...loop.attempts, [phase.document]: round } };
  const isQuick = state.quickMode === true;
  const said = { task: phase.document, note: findings[0] as string, ...heard };
  const entry =
    isQuick && heard === undefined
      ? undefined
      : apply({ event: "refused", ...said, loop: isQuick ? loop : counted });
  const isLast = round >= LIMITS.documentRounds;
  return { kind: "refused", phase, isQuick, findings, round, isLast, entry };
}

function accept({ apply, loop, spec, state }: Run, phase: Phase): Submission {
  const { layout } = spec.project;
  const { [phase.document]: _, ...attempts } = loop.attempts;
  const commit = commitDocument(spec, state, phase);
  const isQuick = state.quickMode === true;
  const reason = `${phase.document} is ready${commit.failed === true ? commit.said : ""}`;
  // An agent that is asked something ends again.
  const isKnown = state.awaitingApproval === true && state.approvalReason === reason;
  if (!isQuick && !isKnown) {
    apply({
      event: "awaiting",
      note: reason,
      loop: { ...loop, attempts },
      state: { awaitingApproval: true, approvalReason: reason },
    });
  }
  const next = layout.voice.command(commandAfter(phasesOf(layout, state), phase));
  return { kind: "accepted", phase, isQuick, commit, next };
}
