import type { Host } from "../host.ts";
import { noTranscript } from "../no-transcript.ts";
import { edition } from "./edition.ts";
import { environment } from "./environment.ts";
import { wire } from "./wire.ts";

export const qwen: Host = {
  name: "qwen",
  npm: "@qwen-code/qwen-code",
  edition,
  commandsByHook: true,
  environment,
  transcript: noTranscript,
  wire,
};
