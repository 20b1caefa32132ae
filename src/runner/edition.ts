import { firstHost } from "../hosts/first.ts";
import type { Edition, Layout } from "../layouts/layout.ts";
import { SHELL_PROGRAM } from "../text/wording.ts";

/** A layout as a run without a client sees it: its users type into a shell, and its agents are started by us. */
export function runnerEdition(layout: Layout): Edition {
  const edition = firstHost.edition(layout);
  return {
    ...edition,
    voice: {
      ...edition.voice,
      // Whatever goes on in a client by these goes on here by `run`.
      command: (name) =>
        `${SHELL_PROGRAM} ${["implement", "resume"].includes(name) ? "run" : name}`,
      agent: (name) => name,
      program: SHELL_PROGRAM,
      questionTool: "",
    },
  };
}
