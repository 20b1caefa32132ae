import { describe, expect, it } from "vitest";
import { callerIn, callerOf, hosts } from "../../src/hosts/all.ts";
import type { Environment, Host } from "../../src/hosts/host.ts";
import { layouts } from "../../src/layouts/all.ts";

/** What a host's wire format looks like, so that one suite can hold every adapter to the contract. */
export interface HostCase {
  readonly host: Host;
  /** A stop as the client sends it, with what makes each field of the event. */
  readonly stop: (facts: Partial<StopFacts>) => Record<string, unknown>;
  readonly env?: Environment;
  /** What an agent's own commands see. */
  readonly agentEnv: Environment;
  /** Keys that the client takes in an answer; some clients fail on any other. */
  readonly answerKeys: readonly string[];
  /** Whether the client sends the agent's last message, and what still runs in the background. */
  readonly tells: { readonly message: boolean; readonly agents: boolean; readonly folder: boolean };
}

interface StopFacts {
  readonly session: string;
  readonly cwd: string;
  readonly continuing: boolean;
  readonly message: string | null;
  readonly agents: number;
  readonly shells: number;
}

/** Run by each adapter: see `claude.test.ts`. */
export function describeHost(hostCase: HostCase): void {
  const { host, stop, env = {}, agentEnv, answerKeys, tells } = hostCase;
  describe(`host ${host.name}`, () => {
    it("is in the list of hosts", () => {
      expect(hosts).toContain(host);
    });

    it.each(layouts)("has its own voice for $id", (layout) => {
      const { voice, settingsFile, ...rest } = host.edition(layout);
      expect(rest).toEqual(layout);
      expect(settingsFile).toContain(layout.plugin);
      expect(voice.command("implement")).toContain("implement");
      expect(voice.agent("spec-executor")).toContain("spec-executor");
      const others = layouts.filter((one) => one !== layout).map((one) => host.edition(one));
      expect(others.map((other) => other.voice.command("implement"))).not.toContain(
        voice.command("implement"),
      );
    });

    it("takes nobody for the user but a person at a terminal", () => {
      expect(callerIn(host, {}, true)).toEqual({ session: null, authority: "user" });
      expect(callerIn(host, {}, false)).toEqual({ session: null, authority: "script" });
      for (const isTerminal of [true, false])
        expect(callerIn(host, agentEnv, isTerminal).authority).toBe("agent");
    });

    it("takes whoever has our mark for an agent", () => {
      for (const known of [{}, env, agentEnv])
        for (const isTerminal of [true, false])
          expect(callerOf({ ...known, SMART_RALPH_DRIVEN: "run-1" }, isTerminal).authority).toBe(
            "agent",
          );
    });

    const parse = (facts: Partial<StopFacts>) =>
      host.wire.parseStop(stop({ cwd: "/project", ...facts }), env);

    it.each([undefined, null, 3, "text", [], {}, { cwd: 7 }, { cwd: "" }])(
      "takes %j for no stop",
      (input) => {
        expect(host.wire.parseStop(input, env)).toBeUndefined();
      },
    );

    it("reads session, folder and flag", () => {
      expect(parse({ session: "s", continuing: true })).toMatchObject({
        sessionId: "s",
        cwd: "/project",
        continuing: true,
      });
      expect(parse({ session: "s", continuing: false })).toMatchObject({ continuing: false });
    });

    it.runIf(tells.folder)("reads where the session was started", () => {
      expect(parse({})).toHaveProperty("projectFolder");
    });

    it.runIf(tells.message)("distinguishes silence from a message", () => {
      expect(parse({ message: "hello" })?.message).toBe("hello");
      expect(parse({ message: null })?.message).toBeNull();
    });

    it.runIf(tells.agents)("counts agents in the background, not shells", () => {
      expect(parse({ agents: 2, shells: 3 })?.agentsRunning).toBe(2);
      expect(parse({ agents: 0, shells: 1 })?.agentsRunning).toBe(0);
    });

    it("says nothing when there is nothing to say", () => {
      expect(host.wire.formatAnswer({ outcome: "idle" }, {})).toMatch(/^(?:\{\})?$/);
    });

    it.each([
      { reason: 'Continue "this"\n`and` \u0000 that', say: "line" },
      { reason: "x".repeat(100_000) },
      { say: "only a line" },
    ])("answers with one JSON object that the client takes", (answer) => {
      const text = host.wire.formatAnswer({ outcome: "continue", ...answer }, {});
      const keys = Object.keys(JSON.parse(text) as object);
      expect(answerKeys).toEqual(expect.arrayContaining(keys));
      // Words of the adapter's own may come before it and after it.
      if (answer.reason !== undefined)
        expect(text).toContain(JSON.stringify(answer.reason).slice(1, -1));
    });
  });
}
