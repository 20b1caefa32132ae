import { join } from "node:path";
import * as fc from "fast-check";
import {
  readLastMessage,
  readOrders,
  readServiceError,
} from "../../src/hosts/claude/transcript.ts";
import { transcript } from "./files.ts";
import { ensure } from "./invariants.ts";
import { slotOf, type Stage } from "./place.ts";
import { type Target, target } from "./target.ts";

const inputs = fc.tuple(
  slotOf(transcript, 100 << 20),
  fc.constantFrom(undefined, "2020-01-01T00:00:00.000Z", "no time"),
);

const isText = (value: unknown): boolean =>
  value === null || value === undefined || typeof value === "string";

/** The end of a transcript: whatever it contains, the result is text or nothing. */
export const transcriptTarget = (stage: Stage): Target =>
  target("transcript", 20, inputs, ([slot, began]) => {
    stage.clear();
    const path = join(stage.root, "transcript");
    stage.put(path, slot);
    const said = [readLastMessage(path, began), readServiceError(path, began), readOrders(path)];
    ensure(said.every(isText), "what was read is no text", said);
  });
