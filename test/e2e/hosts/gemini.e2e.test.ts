import { gemini } from "./gemini.ts";
import { describeClient } from "./suite.ts";

describeClient(gemini);
