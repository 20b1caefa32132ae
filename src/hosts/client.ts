import { layouts } from "../layouts/all.ts";
import type { Edition, Layout, Voice, Worker } from "../layouts/layout.ts";
import { quoteForShell } from "../text/quote.ts";
import { capitalize, SHELL_PROGRAM } from "../text/wording.ts";
import type { Host } from "./host.ts";

/** The project's settings are those of every client: two may work on the same project. */
export const withVoice = (layout: Layout, voice: Omit<Voice, "brand">): Edition => ({
  ...layout,
  settingsFile: `.claude/${layout.plugin}.local.md`,
  voice: { brand: capitalize(layout.plugin), ...voice },
});

/** What a client with a main agent that works itself has of its own. */
interface SelfVoice
  extends Pick<Voice, "questionTool">, Omit<Extract<Worker, { kind: "self" }>, "kind"> {
  /** Before the name of a command. */
  readonly sign: string;
}

export const selfEdition =
  ({ sign, questionTool, ...worker }: SelfVoice): Host["edition"] =>
  (layout, bin) =>
    withVoice(layout, {
      command: (name) => `${sign}${layout.plugin}:${name}`,
      agent: (name) => name,
      worker: { kind: "self", ...worker },
      program: bin === undefined ? SHELL_PROGRAM : quoteForShell(`${bin}/${layout.plugin}`),
      questionTool,
    });

/** Every layout, as this client's users see it. */
export const editionsOf = (host: Host, bin?: string): [Edition, ...Edition[]] =>
  layouts.map((layout) => host.edition(layout, bin)) as [Edition, ...Edition[]];
