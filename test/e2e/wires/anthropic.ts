import { readAsk, type ApiRequest } from "../ask.ts";
import { sendAnswer, sendError } from "../wire.ts";
import type { Wire } from "./port.ts";

/** The Messages API: Claude Code. */
export const anthropic: Wire = {
  serves: (path) => path.includes("/v1/messages"),
  read: ({ body, headers }) => readAsk(body as ApiRequest, headers),
  aside: () => "Scripted",
  // 403 is what the client does not try again.
  refuse: (response) => sendError(response, 403, "the script failed"),
  send: (response, answer, { body }) => sendAnswer(response, answer, body as ApiRequest),
};
