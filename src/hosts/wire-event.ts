import { MAX_SESSION } from "../run/loop.ts";
import { isObject } from "../text/schema.ts";
import type { HostEvent } from "./host.ts";
import { text } from "./json.ts";

/** Whose event it is, and where, in the fields that most clients share; undefined for anything that is not an event. */
export function eventIn(input: unknown, projectFolder: string | undefined): HostEvent | undefined {
  if (!isObject(input)) return undefined;
  const cwd = text(input["cwd"]);
  if (cwd === undefined || cwd === "") return undefined;
  return {
    sessionId: text(input["session_id"])?.slice(0, MAX_SESSION) ?? null,
    cwd,
    ...(projectFolder === undefined ? {} : { projectFolder }),
  };
}
