/*
 * Variables that we set for the programs we start. Their names are a contract between the runner, our hooks and the
 * commands that an agent runs.
 */

/**
 * The mark of every program that is not ours and that `run` or a hook starts: agents, Verify commands, setup,
 * notifications. What has it in its environment, or in a parent's, never has the user's authority. The value is the
 * session of the run; while that run is alive, our hooks stand down too.
 */
export const DRIVEN = "SMART_RALPH_DRIVEN";

/** The value for a program that no run started, such as a Verify in a client. */
export const NO_RUN = "verify";

/** Where it may come from if we have not set it: what a repository brings may be effective in a client. */
export const MARK_SOURCES = `the client's settings ("env" in settings.json or settings.local.json), a .env file or your shell (unset ${DRIVEN})`;

/** The file to which `ask` appends questions, one JSON object per line. Without it, nothing can be asked. */
export const ASK_FILE = "SMART_RALPH_ASK";

/** Added to that file's name: the file in which the runner puts the user's decisions about the task. */
export const ANSWERS_ENDING = ".answers";

type Environment = Readonly<Record<string, string | undefined>>;

/** The value of the mark, if it is there. */
export const drivenBy = (env: Environment): string | undefined => env[DRIVEN] || undefined;

/** Adds the mark, unless it is there already. */
export const markDriven = <T extends Environment>(env: T): T => ({
  ...env,
  [DRIVEN]: drivenBy(env) ?? NO_RUN,
});
