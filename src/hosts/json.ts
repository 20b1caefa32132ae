/** Reading JSON that someone else wrote: a value of the wrong type counts as missing. */
export const text = (value: unknown): string | undefined =>
  typeof value === "string" ? value : undefined;

export const list = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);
