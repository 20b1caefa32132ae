import { opencode } from "./opencode.ts";
import { describeClient } from "./suite.ts";

describeClient(opencode);
