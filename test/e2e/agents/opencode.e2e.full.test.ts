import { opencode } from "./acp.ts";
import { describeAgent } from "./suite.ts";

describeAgent(opencode);
