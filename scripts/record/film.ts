import { parseScreen } from "./ansi.ts";
import { type Frame } from "./svg.ts";
import type { Terminal } from "./terminal.ts";

/** What a line must be for the next picture to begin with it: a prompt, an agent (its dot blinks), what we say. */
const MILESTONE = /^(?:❯ \S|! |[●\s] ralph-\S+\(|\s*⎿\s+\S+ says: )/;
const POLL_MS = 150;
const SECONDS = { first: 2.5, each: 1, says: 2, prints: 5, last: 9 } as const;

/** Films a terminal during a scene: one frame for each milestone, as full as the screen got before the next. */
export async function film(terminal: Terminal, scene: () => Promise<void>): Promise<Frame[]> {
  const taken: { milestone: string; screen: string }[] = [];
  const take = (): void => {
    const screen = terminal.capture();
    const milestone = milestoneOf(screen);
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

/** What we say and print takes time to read. */
function kindOf(milestone: string): keyof typeof SECONDS {
  if (milestone.startsWith("! ")) return "prints";
  return milestone.includes(" says: ") ? "says" : "each";
}

/** The last one on the screen. */
function milestoneOf(screen: string): string {
  const found = parseScreen(screen)
    .map((cells) => cells.map(({ text }) => text).join(""))
    .filter((line) => MILESTONE.test(line));
  return found.at(-1)?.replace("●", " ") ?? "";
}
