import type { Request } from "./request.ts";
import { Refusal } from "./refusal.ts";
import type { Edition } from "../layouts/layout.ts";
import { readOpenEntry } from "../store/spec-files.ts";
import type { Project } from "../store/project.ts";
import type { Spec } from "../store/spec.ts";
import { listRunningSpecs, type VaultSpec } from "../store/vault.ts";

/**
 * What changes whether and how a run goes on is the user's to say. A script may say it of a run that no client's session
 * has taken up; an agent never.
 */
export function requireUser(request: Request, spec: Spec, command: string): void {
  const { layout } = spec.project;
  const typed = `${layout.voice.command(command)} ${spec.name}`;
  refuseAgent(request, command, typed, isQuick(spec));
  if (request.caller.authority === "user" || !isBound(spec)) return;
  throw new Refusal(
    "refused",
    `the run of ${layout.unit} "${spec.name}" belongs to a session of the client`,
    `type ${typed} there, or run this in a terminal`,
  );
}

/** As above, where there is no spec yet. */
export const requireUserFor = (request: Request, layout: Edition, command: string): void =>
  refuseAgent(request, command, layout.voice.command(command), false);

function refuseAgent({ caller }: Request, command: string, typed: string, quick: boolean): void {
  if (caller.authority !== "agent") return;
  throw new Refusal(
    "refused",
    `only the user can run ${command}, and they have not typed it`,
    quick
      ? "end your turn; the next step is handed to you"
      : `tell the user that ${typed} does it, and end your turn`,
  );
}

/** Where some session has a run in the project, an agent changes nothing about which spec is worked on. */
export function requireUserWhileOn(request: Request, spec: Spec, command: string): void {
  if (hasRun(spec.project)) requireUser(request, spec, command);
}

const hasRun = (project: Project): boolean =>
  listRunningSpecs(project).some((spec) => readOpenEntry(spec) !== undefined);

/** Whether the run is on, and some session's. */
const isBound = (spec: VaultSpec): boolean => (readOpenEntry(spec)?.loop.session ?? null) !== null;

const isQuick = (spec: VaultSpec): boolean => readOpenEntry(spec)?.held?.quickMode === true;
