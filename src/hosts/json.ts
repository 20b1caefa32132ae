/** Reading JSON that someone else wrote: the wrong kind of value is no value. */
export const text = (value: unknown): string | undefined =>
  typeof value === "string" ? value : undefined;

export const list = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);
