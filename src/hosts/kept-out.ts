import { LOCAL_SETTINGS } from "./claude/client-settings.ts";

/** Files that a client adds to the user's own ignore rules as soon as it writes them. */
export const KEPT_OUT: readonly string[] = [LOCAL_SETTINGS];
