import type { Ticker } from "../../engine/make-index.ts";

/** Quick work shows nothing while it runs. */
const QUIET_MS = 1000;
const PAUSE_MS = 100;

/** One line, overwritten again and again, for a person waiting at a terminal. */
export function makeTicker(
  what: string,
  total: number,
  isTerminal: boolean,
  write: (text: string) => void,
  clock: () => number = Date.now,
): Ticker {
  const began = clock();
  let last = began + QUIET_MS - PAUSE_MS;
  let shown = false;
  return {
    tick(done) {
      if (!isTerminal) return;
      const now = clock();
      if (now - last < PAUSE_MS) return;
      last = now;
      shown = true;
      write(`\r${what} ${done} of ${total}\u001b[K`);
    },
    end() {
      if (shown) write("\r\u001b[K");
    },
  };
}
