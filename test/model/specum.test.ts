import { specum } from "../support/editions.ts";
import { describeModel } from "./describe.ts";

describeModel(specum);
