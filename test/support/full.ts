/** `npm run test:full`: also what takes minutes, and what measures and so needs a machine to itself. */
export const isFull = process.env["FULL"] === "1";

/** Plain `npm test`: what tells within minutes whether a change is sound. Everything else has a command of its own. */
export const isQuick = process.env["QUICK"] === "1";

/** How many inputs a property is tried with: a quarter will do, except in a full run. */
export const runsOf = (most: number): number => (isFull ? most : Math.ceil(most / 4));

/** For what all of them share to the last line: one will do, except in a full run. */
export const fewOf = <T>(all: readonly T[]): readonly T[] => (isFull ? all : all.slice(0, 1));
