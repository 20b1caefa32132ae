import { describeAcp } from "./acp-suite.ts";
import { opencode } from "./acp.ts";
import { describeAgent } from "./suite.ts";

describeAgent(opencode);
// It gives up after a minute, and says why.
describeAcp(opencode, false);
