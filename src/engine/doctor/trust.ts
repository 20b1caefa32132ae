import type { Disk } from "../../run/decision.ts";
import { whoseRun } from "../../run/trust.ts";
import { readProjectTail } from "../../store/project-file.ts";
import { MAX_BYTES } from "../../store/read.ts";
import type { Spec } from "../../store/spec.ts";
import { findVault } from "../../store/vault-place.ts";
import { readVaultJournal } from "../../store/vault.ts";
import type { Diagnostic } from "../../text/diagnostic.ts";
import { quoteName, quotePath } from "../../text/quote.ts";

/** Whether this machine has a place to record the runs started on it. */
export function checkVault(): Diagnostic {
  const vault = findVault();
  if (vault.kind === "ok")
    return { severity: "ok", code: "vault", message: `runs are recorded in ${vault.folder}` };
  return {
    severity: "error",
    code: "vault",
    message:
      vault.kind === "none"
        ? "there is no home folder to record runs in"
        : `${vault.folder} belongs to somebody else, or others may write to it, so runs are not recorded`,
    fix:
      vault.kind === "none"
        ? "set HOME, or XDG_STATE_HOME to an absolute path"
        : `chmod go-w ${vault.folder}, or remove it if it is not yours`,
  };
}

/** Whether a run was started here, and whether somebody has changed its journal. */
export function checkTrust(spec: Spec, disk: Disk): Diagnostic[] {
  const { layout } = spec.project;
  if (whoseRun(disk, disk.last?.loop.session ?? null) === "stranger") {
    return [
      {
        severity: "warning",
        code: "not-started-here",
        message: `the run of ${quoteName(spec.name)} was not started on this machine, so it is not continued`,
        target: `${quotePath(spec.basePath)}/${layout.stateFile}`,
        fix: `${layout.voice.command("resume")} ${quoteName(spec.name)} resumes it`,
      },
    ];
  }
  const changed = countChanged(spec);
  if (changed === 0) return [];
  return [
    {
      severity: "warning",
      code: "journal",
      message: `${changed === 1 ? "1 line of the journal differs" : `${changed} lines of the journal differ`} from our own copy, and ours counts`,
      target: `${quotePath(spec.basePath)}/${layout.journalFile}`,
      fix: "find out what writes to it; the run itself is fine",
    },
  ];
}

/** Lines that only one of the two copies has, from where ours begins. */
function countChanged(spec: Spec): number {
  const [ours, theirs] = [
    readVaultJournal(spec, MAX_BYTES.journal),
    readProjectTail(spec.project, spec.journal, MAX_BYTES.journal),
  ].map((file) => (file.kind === "ok" ? file.text.split("\n").filter((line) => line !== "") : []));
  const first = theirs?.indexOf(ours?.[0] ?? "") ?? -1;
  const since = first === -1 ? (theirs ?? []) : (theirs ?? []).slice(first);
  const own = new Set(ours);
  const shown = new Set(since);
  const missing = [...own].filter((line) => !shown.has(line)).length;
  return missing + since.filter((line) => !own.has(line)).length;
}
