import type { Agent } from "../port.ts";
import type { AcpSettings } from "./quirks.ts";

/** An agent that speaks the protocol. Its library takes 50 ms to load, so only who needs it does. */
export const acpAgent = (settings: AcpSettings): Agent => ({
  id: settings.id,
  name: settings.name,
  driver: "acp",
  async probe(place) {
    const { probeAcp } = await import("./probe.ts");
    return probeAcp(settings, place);
  },
  async run(work, on, stop) {
    const { runAcp } = await import("./run.ts");
    return runAcp(settings, work, on, stop);
  },
});
