/*
 * Variables that `smart-ralph run` sets for the agents it starts. Their names are a contract between the runner, our
 * hooks and the commands that an agent runs.
 */

/** The session of the run. Where it is set, our hooks stand down, and commands come from an agent, never the user. */
export const DRIVEN = "SMART_RALPH_DRIVEN";

/** The file to which `ask` appends questions, one JSON object per line. Without it, nothing can be asked. */
export const ASK_FILE = "SMART_RALPH_ASK";

/** Added to that file's name: the file in which the runner puts the user's decisions about the task. */
export const ANSWERS_ENDING = ".answers";

type Environment = Readonly<Record<string, string | undefined>>;

/** The session of the run that drives this process, if one does. */
export function drivenBy(env: Environment): string | undefined {
  const session = env[DRIVEN] ?? "";
  return session === "" ? undefined : session;
}
