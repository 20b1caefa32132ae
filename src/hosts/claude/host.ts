import type { Host } from "../host.ts";
import { edition } from "./edition.ts";
import { environment } from "./environment.ts";
import * as transcript from "./transcript.ts";
import { wire } from "./wire.ts";

export const claude: Host = {
  name: "claude",
  npm: "@anthropic-ai/claude-code",
  edition,
  commandsByHook: false,
  environment,
  transcript,
  wire,
};
