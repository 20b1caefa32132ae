import { describeNode } from "./nodes.ts";

describeNode("20.0.0");
