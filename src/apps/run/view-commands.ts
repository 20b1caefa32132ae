import type { Command } from "../cli/command.ts";
import { VERBOSE } from "./run-options.ts";

type Run = Command["run"];

/** What is loaded only when one of these commands runs. */
export interface Views {
  readonly watch: Run;
  readonly replay: Run;
}

const FROM = { value: "n", summary: "from the event with this number" } as const;

/** The commands that show runs: names and options, without the views themselves. */
export const viewCommands = (load: () => Views): Readonly<Record<keyof Views, Command>> => ({
  watch: {
    summary: "follow a run from another shell, or read its report",
    args: ["[run]"],
    shellOnly: true,
    options: { verbose: VERBOSE, from: FROM },
    details:
      "A run is named by its id, the beginning of its id, or its spec; without a name, it is the newest of this project.\nThe keys are those of run, but q only leaves: the run continues (smart-ralph stop stops it). In a pipe it prints a line\nfor each event; --json prints what is known now. With --from it prints only events, those to come too: as lines, or with\n--json as run --json does. To continue, use the number (seq) after that of the last event.",
    run: (context, input) => load().watch(context, input),
  },
  replay: {
    summary: "play a run again, in the live view or as lines",
    args: ["[run]"],
    shellOnly: true,
    options: {
      from: FROM,
      speed: {
        value: "n",
        summary: 'how many times as fast, or "max" (10 in a terminal, max in a pipe)',
      },
    },
    details:
      "A run is named as for watch. Pauses are cut to two seconds. --json prints the events as they were recorded.",
    run: (context, input) => load().replay(context, input),
  },
});
