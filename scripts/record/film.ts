import { parseScreen } from "./ansi.ts";
import { type Frame } from "./svg.ts";
import type { Terminal } from "./terminal.ts";

const POLL_MS = 150;
const SECONDS = { first: 2.5, each: 1, says: 2, prints: 5, last: 9 } as const;

/** What begins a new picture, and how long each is shown. */
interface Cut {
  /** Empty as long as there is nothing to show. */
  readonly milestoneOf: (lines: readonly string[]) => string;
  readonly kindOf: (milestone: string) => keyof typeof SECONDS;
}

/** Films a terminal during a scene: one frame for each milestone, as full as the screen got before the next. */
export async function film(
  terminal: Terminal,
  { milestoneOf, kindOf }: Cut,
  scene: () => Promise<void>,
): Promise<Frame[]> {
  const taken: { milestone: string; screen: string }[] = [];
  const take = (): void => {
    const screen = terminal.capture();
    const milestone = milestoneOf(linesOf(screen));
    if (milestone === "") return;
    if (taken.at(-1)?.milestone === milestone) taken.pop();
    taken.push({ milestone, screen });
  };
  const timer = setInterval(take, POLL_MS);
  try {
    await scene();
  } finally {
    clearInterval(timer);
  }
  take();
  return taken.map(({ milestone, screen }, i) => ({
    lines: parseScreen(screen),
    seconds: SECONDS[i === 0 ? "first" : i === taken.length - 1 ? "last" : kindOf(milestone)],
  }));
}

const linesOf = (screen: string): string[] =>
  parseScreen(screen).map((cells) => cells.map(({ text }) => text).join(""));

/** What a line must be for the next picture to begin with it: a prompt, an agent (its dot blinks), what we say. */
const MILESTONE = /^(?:❯ \S|! |[●\s] ralph-\S+\(|\s*⎿\s+\S+ says: )/;

/** A client: the last milestone on its screen. */
export const CLIENT: Cut = {
  milestoneOf: (lines) => lines.findLast((line) => MILESTONE.test(line))?.replace("●", " ") ?? "",
  // What we say and print takes time to read.
  kindOf(milestone) {
    if (milestone.startsWith("! ")) return "prints";
    return milestone.includes(" says: ") ? "says" : "each";
  },
};

/** The live view: what became of the tasks, whatever the clock says. Then the report. */
export const LIVE: Cut = {
  milestoneOf(lines) {
    const rows = lines.filter((line) => /^[▶◆✓✗?·⤼] \d/.test(line)).map((line) => line.slice(0, 5));
    return [...rows, ...lines.filter((line) => /^\d\d:\d\d |^\S+ {2}finished/.test(line))].join(
      "\n",
    );
  },
  kindOf: (milestone) => (milestone.split("\n").at(-1)?.includes(" ✗ ") ? "says" : "each"),
};
