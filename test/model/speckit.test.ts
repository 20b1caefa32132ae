import { speckit } from "../../src/core/layout.ts";
import { describeModel } from "./describe.ts";

describeModel(speckit);
