const PREFIX = "run-";

/** The session of a run that `smart-ralph run` drives. */
export const runnerSession = (run: string): string => `${PREFIX}${run}`;

/** Whether no client has this session. */
export const isRunner = (session: string): boolean => session.startsWith(PREFIX);
