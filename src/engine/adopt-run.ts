import { isTracked } from "../git/commit.ts";
import { agreeToAll, NOTHING } from "../run/agreement.ts";
import { readProjectTail } from "../store/project-file.ts";
import { MAX_BYTES, statOf } from "../store/read.ts";
import { readTasks } from "../store/spec-files.ts";
import type { Spec } from "../store/spec.ts";
import { writeAgreement, writeRecord, writeVaultJournal } from "../store/vault.ts";

/** How to adopt a run that this machine has no record of without its user's command, if at all. */
export type Adoption = "whole" | "modestly" | "not";

/**
 * A state from an older version counts if the user wrote it while this very session was running, not git or an archive.
 * Even then it raises no limit and no command runs unasked: an agent can write a state too. If a client gives us no way
 * to tell, it counts as it always did; current clients always do.
 */
export function planAdoption(
  spec: Spec,
  session: { readonly began: number | undefined; readonly isInClient: boolean },
): Adoption {
  const { began } = session;
  if (began === undefined) return session.isInClient ? "not" : "whole";
  const stat = statOf(spec.state);
  if (stat === undefined || stat.uid !== (process.getuid?.() ?? stat.uid)) return "not";
  // Unpacked files carry the time that their author gave them; no program can set the second time.
  const times = [stat.mtimeMs, stat.ctimeMs];
  if (times.some((time) => time < began || time > Date.now() + SLACK_MS)) return "not";
  return isTracked(spec, spec.project.layout.stateFile) ? "not" : "modestly";
}

const SLACK_MS = 2000;

/** From here on the run belongs to this machine. */
export function adoptRun(spec: Spec, how: Adoption): void {
  const journal = readProjectTail(spec.project, spec.journal, MAX_BYTES.journal);
  const tasks = readTasks(spec);
  const isWhole = how === "whole";
  if (writeRecord(spec, { token: crypto.randomUUID() }) !== undefined) return;
  writeVaultJournal(spec, isWhole && journal.kind === "ok" ? journal.text : "");
  writeAgreement(spec, isWhole && tasks.kind === "ok" ? agreeToAll(tasks.list) : NOTHING);
}
