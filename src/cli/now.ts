import type { Now } from "../core/loop.ts";

export function readNow(): Now {
  const time = new Date();
  const random = Math.random().toString(36).slice(2, 6);
  return { at: time.toISOString(), runId: `${time.getTime().toString(36)}-${random}` };
}
