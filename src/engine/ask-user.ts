import { askAbout } from "../run/agreement-lines.ts";
import { type Agreement, ask, type Question } from "../run/agreement.ts";
import type { Entry } from "../run/journal.ts";
import { writeAgreement } from "../store/vault.ts";
import type { Run } from "./with-run.ts";

/** The loop waits for the user's answer to these questions. */
export function askUser(
  run: Run,
  agreed: Agreement,
  questions: readonly Question[],
  said: Pick<Entry, "task" | "agent" | "left" | "noChange"> = {},
): void {
  writeAgreement(run.spec, questions.reduce(ask, agreed));
  const reason = askAbout(run.spec.project.layout, questions);
  run.apply({
    event: "awaiting",
    ...said,
    note: reason,
    loop: run.loop,
    state: { awaitingApproval: true, approvalReason: reason },
  });
}
