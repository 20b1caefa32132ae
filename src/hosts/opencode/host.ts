import type { Host } from "../host.ts";
import { noTranscript } from "../no-transcript.ts";
import { edition } from "./edition.ts";
import { environment } from "./environment.ts";
import { wire } from "./wire.ts";

export const opencode: Host = {
  name: "opencode",
  npm: "opencode-ai",
  edition,
  commandsByHook: true,
  environment,
  transcript: noTranscript,
  wire,
};
