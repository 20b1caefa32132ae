const PREFIX = "run-";

/** The session of a run that `smart-ralph run` drives. */
export const runnerSession = (run: string): string => `${PREFIX}${run}`;

/** The run that drives the session; undefined if a client does. */
export const runOf = (session: string | null | undefined): string | undefined =>
  session?.startsWith(PREFIX) === true ? session.slice(PREFIX.length) : undefined;

/** Whether the session belongs to `smart-ralph run`, not to a client. */
export const isRunner = (session: string): boolean => session.startsWith(PREFIX);
