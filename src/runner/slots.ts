/** Runs work when a slot is free, in the order of the calls. */
export type Slots = <T>(work: () => Promise<T>) => Promise<T>;

export function openSlots(count: number): Slots {
  const waiting: (() => void)[] = [];
  let free = count;
  return async (work) => {
    if (free > 0) free--;
    else await new Promise<void>((go) => waiting.push(go));
    try {
      return await work();
    } finally {
      const next = waiting.shift();
      if (next === undefined) free++;
      else next();
    }
  };
}
