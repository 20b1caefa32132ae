import type { Host } from "../host.ts";
import { edition } from "./edition.ts";
import { environment } from "./environment.ts";
import { readForeign } from "./foreign.ts";
import { transcript } from "./transcript.ts";
import { wire } from "./wire.ts";

export const gemini: Host = {
  name: "gemini",
  npm: "@google/gemini-cli",
  edition,
  commandsByHook: true,
  environment,
  transcript,
  wire,
  readForeign,
};
