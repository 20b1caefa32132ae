import type { Quick } from "./quick.ts";

/** Beside the hook's own file in the plugin's folder. Loading it takes longer than a whole stop may: only quick mode does. */
export const loadQuick = (): Quick => (require("./quick.cjs") as { quick: Quick }).quick;
