/**
 * The variable with the plugin's data folder, set by the client. Alone in its file because the loader reads it first.
 */
export { DATA_FOLDER } from "./claude/data-folder.ts";
