/*
 * What an agent finds in its environment that `smart-ralph run` has started. These names are a contract between the
 * runner, our hooks and the commands that the agent runs.
 */

/** The session of the run. Our hooks stand down, and whoever has it is an agent of that session, never the user. */
export const DRIVEN = "SMART_RALPH_DRIVEN";

/** The file to which `ask` appends its questions, one JSON object a line. Without it, nothing can be asked. */
export const ASK_FILE = "SMART_RALPH_ASK";

/** After the name of that file: the one in which the runner has put what the user has decided about the task. */
export const ANSWERS_ENDING = ".answers";

type Environment = Readonly<Record<string, string | undefined>>;

/** The session of the run that drives this process, if one does. */
export function drivenBy(env: Environment): string | undefined {
  const session = env[DRIVEN] ?? "";
  return session === "" ? undefined : session;
}
