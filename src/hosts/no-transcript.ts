import type { Host } from "./host.ts";

/** For clients that say all we need in their events. */
export const noTranscript: Host["transcript"] = {
  readLastMessage: () => null,
  readServiceError: () => undefined,
  readInterrupted: () => false,
  readOrders: () => undefined,
};
