import { specum } from "../../src/layouts/layout.ts";
import { describeModel } from "./describe.ts";

describeModel(specum);
