import type { Environment, HostEvent } from "../host.ts";
import { eventIn } from "../wire-event.ts";
import { environment } from "./environment.ts";

export const eventOf = (input: unknown, env: Environment): HostEvent | undefined =>
  eventIn(input, environment.projectFolder(env));
