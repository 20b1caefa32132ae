import { specum } from "../../src/core/layout.ts";
import { describeModel } from "./describe.ts";

describeModel(specum);
