import type { Now } from "../core/loop.ts";

export function readNow(): Now {
  const time = new Date();
  return {
    at: time.toISOString(),
    get runId() {
      return `${time.getTime().toString(36)}-${Math.random().toString(36).slice(2, 6)}`;
    },
  };
}
