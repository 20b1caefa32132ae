/** The variable with the folder that the client gives a plugin for its data. Alone in its file: the loader reads it first. */
export { DATA_FOLDER } from "./claude/data-folder.ts";
