import { MAX_SESSION } from "../run/loop.ts";
import type { Environment, Host } from "./host.ts";

/** The variables in which clients differ. An empty one counts as missing. */
interface Variables {
  /** Any of these: the client runs this, as a hook or for an agent. */
  readonly marks: readonly string[];
  readonly agentMarks: readonly string[];
  /** The session, the first that is set. */
  readonly session: readonly string[];
  /** Those marks that are this client's alone, if not all are. */
  readonly inClient?: readonly string[];
  readonly projectFolder?: string;
}

const firstOf = (env: Environment, names: readonly string[]): string | undefined =>
  names.map((name) => env[name]).find((value) => (value ?? "") !== "");

export const environmentOf = ({
  marks,
  agentMarks,
  session,
  inClient = marks,
  projectFolder,
}: Variables): Host["environment"] => ({
  callerOf: (env, isTerminal) =>
    firstOf(env, marks) === undefined
      ? { session: null, authority: isTerminal ? "user" : "script" }
      : { session: firstOf(env, session)?.slice(0, MAX_SESSION) ?? null, authority: "agent" },
  agentMarks,
  isInClient: (env) => firstOf(env, inClient) !== undefined,
  clientMarks: inClient,
  projectFolder: (env) => (projectFolder === undefined ? undefined : firstOf(env, [projectFolder])),
});
