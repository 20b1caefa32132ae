import { describe, expect, it } from "vitest";
import { isFull } from "../../support/full.ts";
import { versionOf } from "../hosts/adapter.ts";
import { adapters } from "../hosts/all.ts";
import type { AgentAdapter } from "./adapter.ts";
import { play, stage } from "./stand.ts";

/** Scenarios for agents that speak ACP. */
export function describeAcp(adapter: AgentAdapter, triesForEver: boolean): void {
  const { agent, silentMs = 8000 } = adapter;

  describe(`${agent.name}, over ACP`, () => {
    it("is asked for its version without a call to the model", async () => {
      const { work, model, living } = await stage(adapter, () => "Never called.");
      const client = adapters.find(({ id }) => id === agent.id);
      const version = client === undefined ? "" : versionOf(client);
      expect(await agent.probe(work)).toEqual({ installed: true, version });
      const none = await agent.probe({ ...work, env: { ...work.env, PATH: work.cwd } });
      expect(none).toMatchObject({ installed: false, why: expect.stringMatching(/PATH; see/) });
      expect(model.asks).toEqual([]);
      expect(living()).toEqual([]);
    });

    it.runIf(isFull && triesForEver)(
      "silently retries a service again and again: the service is busy, and no attempt is counted",
      async () => {
        const staged = await stage(adapter, () => ({ status: 503 }), { limits: { silentMs } });
        const { outcome } = await play(adapter, staged);
        expect(outcome.ending).toMatchObject({ kind: "busy" });
        expect(staged.living()).toEqual([]);
      },
    );
  });
}
