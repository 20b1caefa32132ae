import { LOCAL_SETTINGS } from "./claude/permissions.ts";

/**
 * The client whose stops are the most: its hook loads no other. What only one client has comes from here too, as values
 * that the build can leave out of the hook.
 */
export { DemoClient } from "./claude/demo-client.ts";
export { claude as firstHost } from "./claude/host.ts";
export { permissions } from "./claude/permissions.ts";

/** Files that a client adds to the user's own ignore rules as soon as it writes them. */
export const KEPT_OUT: readonly string[] = [LOCAL_SETTINGS];
