import type { Host } from "../host.ts";
import { edition } from "./edition.ts";
import { environment } from "./environment.ts";
import * as transcript from "./transcript.ts";
import { wire } from "./wire.ts";

export const codex: Host = {
  name: "codex",
  npm: "@openai/codex",
  edition,
  commandsByHook: true,
  environment,
  transcript,
  wire,
};
