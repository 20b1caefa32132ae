import type { Edition, Layout, Voice, Worker } from "../layouts/layout.ts";
import { quoteForShell } from "../text/quote.ts";
import { capitalize, SHELL_PROGRAM } from "../text/wording.ts";

/** What a client with a main agent that works itself has of its own. */
export interface SelfVoice extends Pick<Voice, "command" | "questionTool"> {
  readonly worker: Omit<Extract<Worker, { kind: "self" }>, "kind">;
}

/** A layout in such a client. The project's settings are those of every client: two may work on the same project. */
export const selfEdition = (
  layout: Layout,
  bin: string | undefined,
  { worker, ...voice }: SelfVoice,
): Edition => ({
  ...layout,
  settingsFile: `.claude/${layout.plugin}.local.md`,
  voice: {
    ...voice,
    brand: capitalize(layout.plugin),
    agent: (name) => name,
    worker: { kind: "self", ...worker },
    program: bin === undefined ? SHELL_PROGRAM : quoteForShell(`${bin}/${layout.plugin}`),
  },
});
