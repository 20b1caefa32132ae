import { qwen } from "./qwen.ts";
import { describeClient } from "./suite.ts";

describeClient(qwen);
