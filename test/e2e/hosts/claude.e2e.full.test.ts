import { claude } from "./claude.ts";
import { describeClient } from "./suite.ts";

describeClient(claude);
