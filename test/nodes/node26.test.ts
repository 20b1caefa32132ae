import { describeNode } from "./nodes.ts";

describeNode("26.10.0");
