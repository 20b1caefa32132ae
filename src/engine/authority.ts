import type { Edition } from "../layouts/layout.ts";
import { DRIVEN, drivenBy, MARK_SOURCES } from "../run/driven.ts";
import type { Entry } from "../run/journal.ts";
import { isRunner } from "../run/runner-session.ts";
import type { Project } from "../store/project.ts";
import { readOpenEntry } from "../store/spec-files.ts";
import type { Spec } from "../store/spec.ts";
import { listRunningSpecs, type VaultSpec } from "../store/vault.ts";
import { SHELL_PROGRAM } from "../text/wording.ts";
import { Refusal } from "./refusal.ts";
import type { Request } from "./request.ts";

/**
 * Only the user changes whether and how a run continues. A script may do so for a run that no client session has bound;
 * an agent never.
 */
export function requireUser(
  request: Request,
  spec: Spec,
  command: string,
  argument = spec.name,
): void {
  const { layout } = spec.project;
  const typed = `${layout.voice.command(command)} ${argument}`;
  refuseAgent(request, command, typed, isQuick(spec));
  if (mayDecide(request, spec)) return;
  throw new Refusal(
    "refused",
    `the run of ${layout.unit} "${spec.name}" belongs to a session of the client`,
    // A run's own command is not typed in a client.
    typed.startsWith(SHELL_PROGRAM)
      ? "run this in a terminal, which is yours; or end that session's run first"
      : `type ${typed} there, or run this in a terminal`,
  );
}

/** Whether what somebody asks for is the user's decision: a script's is, unless a client's session has the run. */
export const mayDecide = ({ caller }: Request, spec: Spec): boolean =>
  caller.authority === "user" || (caller.authority === "script" && !isBound(spec));

/**
 * What to note about a decision that came from a terminal, although the run is a client's: whoever sits at the client is
 * told, because it may not have been them.
 */
export const whence = ({ caller }: Request, spec: VaultSpec): Pick<Entry, "from"> =>
  caller.session === null && isBound(spec) ? { from: "terminal" } : {};

/** The same, before there is a spec. */
export const requireUserFor = (request: Request, layout: Edition, command: string): void =>
  refuseAgent(request, command, layout.voice.command(command), false);

/** The same, for what is typed only in a shell. A script may: it is how CI runs. */
export const requireShell = (request: Request, command: string): void =>
  refuseAgent(request, command, `${SHELL_PROGRAM} ${command}`, false);

/**
 * What in a client anyone may do, a program that we have started may not: nobody may be there to go on. It may be the
 * user after all, whose client sets the mark.
 */
export function refuseDriven({ env }: Request, command: string): void {
  if (drivenBy(env) === undefined) return;
  throw new Refusal(
    "refused",
    `only the user can run ${command}, and ${DRIVEN}, which marks what we start, is set here or in a parent process`,
    `if you are the user, remove it from ${MARK_SOURCES}; an agent uses ${SHELL_PROGRAM} ask, or ends its turn`,
  );
}

function refuseAgent(request: Request, command: string, typed: string, quick: boolean): void {
  const { caller } = request;
  if (caller.authority !== "agent") return;
  refuseDriven(request, command);
  if (caller.client !== undefined)
    throw new Refusal(
      "refused",
      `only the user can run ${command}, and this was started by ${caller.client}`,
      `${typed} in the client does it, or a terminal that the client has not opened`,
    );
  throw new Refusal(
    "refused",
    `only the user can run ${command}, and they have not typed it`,
    quick
      ? "end your turn; the next step is handed to you"
      : `tell the user that ${typed} does it, and end your turn`,
  );
}

/** If some session has a run in the project, an agent cannot change which spec is active. */
export function requireUserWhileOn(request: Request, spec: Spec, command: string): void {
  if (hasRun(spec.project)) requireUser(request, spec, command);
}

const hasRun = (project: Project): boolean =>
  listRunningSpecs(project).some((spec) => readOpenEntry(spec) !== undefined);

/** Whether the run is on and bound to a client's session. Of two runners, the lease decides. */
const isBound = (spec: VaultSpec): boolean => {
  const session = readOpenEntry(spec)?.loop.session ?? null;
  return session !== null && !isRunner(session);
};

const isQuick = (spec: VaultSpec): boolean => readOpenEntry(spec)?.held?.quickMode === true;
