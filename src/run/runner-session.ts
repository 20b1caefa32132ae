const PREFIX = "run-";

/** The session of a run that `smart-ralph run` drives. */
export const runnerSession = (run: string): string => `${PREFIX}${run}`;

/** Whether the session belongs to `smart-ralph run`, not to a client. */
export const isRunner = (session: string): boolean => session.startsWith(PREFIX);
