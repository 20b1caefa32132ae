import type { Disk } from "../../run/decision.ts";
import { DRIVEN, drivenBy, MARK_SOURCES } from "../../run/driven.ts";
import { whoseRun } from "../../run/trust.ts";
import type { Spec } from "../../store/spec.ts";
import { findVault } from "../../store/vault-place.ts";
import { type Diagnostic, findingsAbout } from "../../text/diagnostic.ts";
import { quoteName, quotePath } from "../../text/quote.ts";
import type { Request } from "../request.ts";

/** Whether this machine has a place to record the runs started on it. */
export function checkVault(): Diagnostic {
  const vault = findVault();
  const { ok, error } = findingsAbout("vault");
  if (vault.kind === "ok") return ok(`runs are recorded in ${vault.folder}`);
  return vault.kind === "none"
    ? error(
        "there is no home folder to record runs in",
        "set HOME, or XDG_STATE_HOME to an absolute path",
      )
    : error(
        `${vault.folder} belongs to somebody else, or others may write to it, so runs are not recorded`,
        `chmod go-w ${vault.folder}, or remove it if it is not yours`,
      );
}

/** Whether everything that is typed here counts as an agent's. */
export const checkMark = ({ env }: Pick<Request, "env">): Diagnostic[] =>
  drivenBy(env) === undefined
    ? []
    : [
        findingsAbout("mark").warning(
          `${DRIVEN} is set here or in a parent process, so no command from here counts as yours`,
          `remove it from ${MARK_SOURCES}`,
        ),
      ];

/** Whether a run was started here. */
export function checkTrust(spec: Spec, disk: Disk): Diagnostic[] {
  const { layout } = spec.project;
  if (whoseRun(disk, disk.last?.loop.session ?? null) !== "stranger") return [];
  const name = quoteName(spec.name);
  const target = `${quotePath(spec.basePath)}/${layout.stateFile}`;
  return [
    findingsAbout("not-started-here", target).warning(
      `the run of ${name} was not started on this machine, so it is not continued`,
      `${layout.voice.command("resume")} ${name} resumes it`,
    ),
  ];
}
