import { SIGNALS } from "../stdio/terminal.ts";

const PAUSE_MS = 500;
/** In raw mode Ctrl-C and Ctrl-D are keys like any other. */
const LEAVING = ["q", "Q", "\u0003", "\u0004"];

/** Calls `step` until it returns false, or until the user leaves: Ctrl-C, and at a terminal `q`. */
export function repeat(step: () => boolean): Promise<void> {
  const { stdin, stdout } = process;
  const hasKeys = stdin.isTTY === true && stdout.isTTY === true;
  return new Promise((resolve, reject) => {
    let timer: NodeJS.Timeout | undefined;
    const end = (settle: () => void): void => {
      clearTimeout(timer);
      for (const name of SIGNALS) process.off(name, leave);
      if (hasKeys) {
        stdin.off("data", press).setRawMode(false).pause();
        stdout.off("resize", next);
      }
      settle();
    };
    const leave = (): void => end(resolve);
    const press = (keys: Buffer): void => {
      const typed = keys.toString();
      if (LEAVING.some((key) => typed.includes(key))) leave();
    };
    const next = (): void => {
      clearTimeout(timer);
      try {
        if (step()) timer = setTimeout(next, PAUSE_MS);
        else leave();
      } catch (error) {
        end(() => reject(error as Error));
      }
    };
    for (const name of SIGNALS) process.on(name, leave);
    if (hasKeys) {
      stdin.setRawMode(true).resume().on("data", press);
      stdout.on("resize", next);
    }
    next();
  });
}
