import { agreeToAll, NOTHING } from "../run/agreement.ts";
import { isTracked } from "../git/commit.ts";
import { readTasks } from "../store/spec-files.ts";
import { readProjectTail } from "../store/project-file.ts";
import { MAX_BYTES, statOf } from "../store/read.ts";
import type { Spec } from "../store/spec.ts";
import { writeAgreement, writeRecord, writeVaultJournal } from "../store/vault.ts";

/** How a run that this machine has no record of is taken up without its user's command, if at all. */
export type Adoption = "whole" | "modestly" | "not";

/**
 * A state of an older version counts if it was written while this very session was running, by its user, and neither by
 * git nor by an archive; then it raises no limit, and no command is run unasked: an agent can write one too. Where a
 * client gives no way to tell, it counts as it always did; one of today's gives it always.
 */
export function planAdoption(
  spec: Spec,
  session: { readonly began: number | undefined; readonly isInClient: boolean },
): Adoption {
  const { began } = session;
  if (began === undefined) return session.isInClient ? "not" : "whole";
  const stat = statOf(spec.state);
  if (stat === undefined || stat.uid !== (process.getuid?.() ?? stat.uid)) return "not";
  // What was unpacked has the time that its author gave it; the second time no program can set.
  const times = [stat.mtimeMs, stat.ctimeMs];
  if (times.some((time) => time < began || time > Date.now() + SLACK_MS)) return "not";
  return isTracked(spec, spec.project.layout.stateFile) ? "not" : "modestly";
}

const SLACK_MS = 2000;

/** From here on the run is this machine's. */
export function adoptRun(spec: Spec, how: Adoption): void {
  const journal = readProjectTail(spec.project, spec.journal, MAX_BYTES.journal);
  const tasks = readTasks(spec);
  const isWhole = how === "whole";
  if (writeRecord(spec, { token: crypto.randomUUID() }) !== undefined) return;
  writeVaultJournal(spec, isWhole && journal.kind === "ok" ? journal.text : "");
  writeAgreement(spec, isWhole && tasks.kind === "ok" ? agreeToAll(tasks.list) : NOTHING);
}
