export { DemoClient } from "./claude/demo-client.ts";
