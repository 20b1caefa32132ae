import { firstHost } from "../hosts/first.ts";
import type { Edition, Layout } from "../layouts/layout.ts";
import { SHELL_PROGRAM } from "../text/wording.ts";

/** A layout for a run without a client: users type into a shell, and we start the agents. */
export function runnerEdition(layout: Layout): Edition {
  const edition = firstHost.edition(layout);
  return {
    ...edition,
    voice: {
      ...edition.voice,
      // A run continues here with `run`, not with a client's commands.
      command: (name) =>
        `${SHELL_PROGRAM} ${["implement", "resume"].includes(name) ? "run" : name}`,
      agent: (name) => name,
      program: SHELL_PROGRAM,
      questionTool: "",
    },
  };
}
