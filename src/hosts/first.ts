/** The client whose stops are the most: its hook loads no other. */
export { claude as firstHost } from "./claude/host.ts";
