import type { Command } from "../cli/command.ts";

type Run = Command["run"];

/** What is loaded only when one of these commands runs. */
export interface Views {
  readonly watch: Run;
  readonly replay: Run;
}

/** The commands that show runs: names and options, without the views themselves. */
export const viewCommands = (load: () => Views): readonly Command[] => [
  {
    name: "watch",
    summary: "watch a run from another terminal, or see how the last one ended",
    args: ["[run]"],
    group: "look",
    shellOnly: true,
    details:
      "A run is named by its id, the beginning of it, or its spec; without a name it is the newest. q leaves, and the run goes on. In a pipe it prints a line for each event; --json prints what is known now.",
    run: (context, input) => load().watch(context, input),
  },
  {
    name: "replay",
    summary: "play a recorded run again, in the live view or as lines",
    args: ["[run]"],
    group: "look",
    shellOnly: true,
    options: {
      speed: {
        type: "string",
        value: "n",
        summary: 'how many times as fast, or "max"; 10 in a terminal, max in a pipe',
      },
    },
    details: "Pauses are cut to two seconds. --json prints the events as they were recorded.",
    run: (context, input) => load().replay(context, input),
  },
];
