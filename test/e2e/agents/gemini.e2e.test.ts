import { isFull } from "../../support/full.ts";
import { gemini } from "./acp.ts";
import { describeAgent } from "./suite.ts";

describeAgent(gemini, isFull ? "all" : "cheap");
