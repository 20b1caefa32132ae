import { describeAcp } from "./acp-suite.ts";
import { qwen } from "./acp.ts";
import { describeAgent } from "./suite.ts";

describeAgent(qwen);
describeAcp(qwen, true);
