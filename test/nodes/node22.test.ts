import { describeNode } from "./nodes.ts";

describeNode("22.23.3");
