import { qwen } from "./acp.ts";
import { describeAgent } from "./suite.ts";

describeAgent(qwen);
