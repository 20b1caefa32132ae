import { copilot } from "./copilot.ts";
import { describeClient } from "./suite.ts";

describeClient(copilot);
