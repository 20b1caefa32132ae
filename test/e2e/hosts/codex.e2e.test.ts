import { codex } from "./codex.ts";
import { describeClient } from "./suite.ts";

describeClient(codex);
