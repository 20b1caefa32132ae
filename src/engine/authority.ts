import { type Layout, slash } from "../layouts/layout.ts";
import { readOpenEntry } from "../store/spec-files.ts";
import type { Project } from "../store/project.ts";
import type { Spec } from "../store/spec.ts";
import { listOn, type VaultSpec } from "../store/vault.ts";
import { CliError, type Context, EXIT } from "../apps/cli/command.ts";

/**
 * What changes whether and how a run goes on is the user's to say. A script may say it of a run that no client's session
 * has taken up; an agent never.
 */
export function requireUser(context: Context, spec: Spec, command: string): void {
  const { layout } = spec.project;
  const typed = `${slash(layout, command)} ${spec.name}`;
  refuseAgent(context, command, typed, isQuick(spec));
  if (context.caller.authority === "user" || !isBound(spec)) return;
  throw new CliError(
    EXIT.refused,
    `the run of ${layout.unit} "${spec.name}" belongs to a session of the client`,
    `type ${typed} there, or run this in a terminal`,
  );
}

/** As above, where there is no spec yet. */
export const requireUserFor = (context: Context, layout: Layout, command: string): void =>
  refuseAgent(context, command, slash(layout, command), false);

function refuseAgent({ caller }: Context, command: string, typed: string, quick: boolean): void {
  if (caller.authority !== "agent") return;
  throw new CliError(
    EXIT.refused,
    `${command} is the user's decision, and they have not typed it`,
    quick
      ? "end your turn; the next step is handed to you"
      : `tell the user that ${typed} does it, and end your turn`,
  );
}

/** Where some session has a run in the project, an agent changes nothing about which spec is worked on. */
export function requireUserWhileOn(context: Context, spec: Spec, command: string): void {
  if (hasRun(spec.project)) requireUser(context, spec, command);
}

const hasRun = (project: Project): boolean =>
  listOn(project).some((spec) => readOpenEntry(spec) !== undefined);

/** Whether the run is on, and some session's. */
const isBound = (spec: VaultSpec): boolean => (readOpenEntry(spec)?.loop.session ?? null) !== null;

const isQuick = (spec: VaultSpec): boolean => readOpenEntry(spec)?.held?.quickMode === true;
