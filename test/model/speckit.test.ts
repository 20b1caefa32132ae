import { speckit } from "../../src/layouts/layout.ts";
import { describeModel } from "./describe.ts";

describeModel(speckit);
