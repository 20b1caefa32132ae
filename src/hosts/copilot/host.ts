import type { Host } from "../host.ts";
import { edition } from "./edition.ts";
import { environment } from "./environment.ts";
import { transcript } from "./transcript.ts";
import { wire } from "./wire.ts";

export const copilot: Host = {
  name: "copilot",
  npm: "@github/copilot",
  edition,
  commandsByHook: true,
  environment,
  transcript,
  wire,
  stops: { client: "Copilot CLI", max: 8 },
};
