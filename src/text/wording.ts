export const capitalize = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

/** `1 task`, `2 tasks`. */
export const counted = (count: number, noun: string): string =>
  `${count} ${noun}${count === 1 ? "" : "s"}`;
