import type { Quick } from "./quick.ts";

/**
 * What only some stops need. It is in its own file next to the hook's, because loading it takes longer than a whole
 * stop may.
 */
export const lazy = {
  loadQuick: (): Quick => (require("./quick.cjs") as { quick: Quick }).quick,
};
