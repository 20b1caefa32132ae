import { isFull } from "../../support/full.ts";
import { describeAcp } from "./acp-suite.ts";
import { gemini } from "./acp.ts";
import { describeAgent } from "./suite.ts";

describeAgent(gemini, isFull ? "all" : "cheap");
describeAcp(gemini, true);
