/** How finely tasks are split. */
export const GRANULARITIES = {
  fine: "40 to 60 tasks, each at most 4 steps and 3 files",
  coarse: "10 to 20 tasks, each at most 10 steps and 6 files",
} as const;

/** On the short way. */
export const SHORT_SIZE = "small, usually 3 to 8 tasks";

export type Granularity = keyof typeof GRANULARITIES;
