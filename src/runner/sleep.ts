/** Resolves at that time, or when a signal aborts. Sleeps in steps, because the clock may be set meanwhile. */
export async function sleepUntil(until: number, signals: readonly AbortSignal[]): Promise<void> {
  while (Date.now() < until && !signals.some(({ aborted }) => aborted)) {
    const ms = Math.min(until - Date.now(), STEP_MS);
    await new Promise<void>((resolve) => {
      const done = (): void => {
        clearTimeout(timer);
        for (const signal of signals) signal.removeEventListener("abort", done);
        resolve();
      };
      const timer = setTimeout(done, ms);
      for (const signal of signals) signal.addEventListener("abort", done, { once: true });
    });
  }
}

const STEP_MS = 30_000;
