import { speckit } from "../support/editions.ts";
import { describeModel } from "./describe.ts";

describeModel(speckit);
