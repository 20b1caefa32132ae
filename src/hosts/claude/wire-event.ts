import { MAX_SESSION } from "../../run/loop.ts";
import { isObject } from "../../text/schema.ts";
import type { Environment, HostEvent } from "../host.ts";
import { text } from "../json.ts";
import { environment } from "./environment.ts";

/** Whose event it is, and where; undefined for anything that is not an event. */
export function eventOf(input: unknown, env: Environment): HostEvent | undefined {
  if (!isObject(input)) return undefined;
  const cwd = text(input["cwd"]);
  if (cwd === undefined || cwd === "") return undefined;
  const projectFolder = environment.projectFolder(env);
  return {
    sessionId: text(input["session_id"])?.slice(0, MAX_SESSION) ?? null,
    cwd,
    ...(projectFolder === undefined ? {} : { projectFolder }),
  };
}
