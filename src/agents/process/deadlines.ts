import { MAX_TIMER_MS } from "../../exec/start.ts";
import type { Limits } from "../port.ts";

export interface Deadlines {
  /** A sign of life. */
  alive(): void;
  end(): void;
}

/** We set both deadlines ourselves: agents retry silently for minutes, some of them forever. */
export function setDeadlines(
  { wallMs, silentMs }: Pick<Limits, "wallMs" | "silentMs">,
  onPassed: (by: "wall" | "silence") => void,
): Deadlines {
  const after = (ms: number, by: "wall" | "silence"): NodeJS.Timeout =>
    setTimeout(() => onPassed(by), Math.min(ms, MAX_TIMER_MS));
  const wall = after(wallMs, "wall");
  const silence = after(silentMs, "silence");
  return {
    alive: () => void silence.refresh(),
    end() {
      clearTimeout(wall);
      clearTimeout(silence);
    },
  };
}
