import { parseScreen } from "./ansi.ts";
import { type Frame } from "./svg.ts";
import type { Terminal } from "./terminal.ts";

/** What a line must be for the next picture to begin with it: a prompt, an agent, what we say. */
const MILESTONE = /^(?:❯ \S|! |● ralph-\S+\(|● Agent "|\s*⎿\s+Stop says)/;
const POLL_MS = 150;
const SECONDS = { first: 2.5, each: 1.2, last: 9 } as const;

/** Films a terminal: one frame for each milestone, as full as the screen got before the next. */
export function film(terminal: Terminal): () => Frame[] {
  const taken: { milestone: string; screen: string }[] = [];
  const take = (): void => {
    const screen = terminal.capture();
    const milestone = milestoneOf(screen);
    if (milestone === "") return;
    if (taken.at(-1)?.milestone === milestone) taken.pop();
    taken.push({ milestone, screen });
  };
  const timer = setInterval(take, POLL_MS);
  return () => {
    clearInterval(timer);
    take();
    return taken.map(({ screen }, i) => ({
      lines: parseScreen(screen),
      seconds: i === 0 ? SECONDS.first : i === taken.length - 1 ? SECONDS.last : SECONDS.each,
    }));
  };
}

/** The last one on the screen, with how many there are: the same line may come twice. */
function milestoneOf(screen: string): string {
  const found = parseScreen(screen)
    .map((cells) => cells.map(({ text }) => text).join(""))
    .filter((line) => MILESTONE.test(line));
  return found.at(-1) ?? "";
}
