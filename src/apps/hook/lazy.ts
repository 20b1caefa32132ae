import type { Quick } from "./quick.ts";

/**
 * What only some stops need. It lies beside the hook's own file in the plugin's folder, and loading it takes longer than
 * a whole stop may.
 */
export const lazy = {
  loadQuick: (): Quick => (require("./quick.cjs") as { quick: Quick }).quick,
};
