import { layouts } from "../core/layout.ts";
import { claude } from "../hosts/claude.ts";
import { logFault, parseJson } from "./event.ts";
import { handlers } from "./handlers.ts";
import { print } from "./print.ts";
import { readInput } from "./stdin.ts";

/** `hook.cjs <layout> <event>`: what the client runs. Whatever goes wrong in here, the agent may stop. */
function main(): boolean {
  const layout = layouts.find(({ id }) => id === process.argv[2]);
  const handler = handlers[process.argv[3] ?? ""];
  if (layout === undefined || handler === undefined) return false;
  try {
    const answer = handler(layout, claude, parseJson(readInput()), process.env);
    if (answer !== "") print(1, answer);
    return answer !== "";
  } catch (error) {
    logFault(layout, error);
    return false;
  }
}

/** Read by the loader. */
export const answered = main();
