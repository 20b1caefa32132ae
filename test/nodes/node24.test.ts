import { describeNode } from "./nodes.ts";

describeNode("24.21.0");
