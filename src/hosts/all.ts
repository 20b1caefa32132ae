import { drivenBy } from "../run/driven.ts";
import { MAX_SESSION } from "../run/loop.ts";
import { isDriven } from "../store/lease.ts";
import { codex } from "./codex/host.ts";
import { copilot } from "./copilot/host.ts";
import { firstHost } from "./first.ts";
import { gemini } from "./gemini/host.ts";
import type { Caller, Environment, Host } from "./host.ts";
import { opencode } from "./opencode/host.ts";
import { qwen } from "./qwen/host.ts";

export { editionsOf } from "./editions.ts";

/** Every client that we support. The first is for people who use none. */
export const hosts: readonly [Host, ...Host[]] = [
  firstHost,
  codex,
  gemini,
  opencode,
  qwen,
  copilot,
];

export const hostNamed = (name: string | undefined): Host | undefined =>
  hosts.find((one) => one.name === name);

/** The client whose command or hook this is, as far as its environment shows. */
export const hostOf = (env: Environment): Host =>
  hosts.find((host) => host.environment.isInClient(env)) ?? hosts[0];

/**
 * The variable that says that an agent, of whichever client, started the client whose hook this is: then nobody types
 * there. Some of a client's own marks are set for its hooks too; another client's never are.
 */
export const findAgentMark = (host: Host, env: Environment): string | undefined =>
  hosts
    .flatMap(({ name, environment: { agentMarks, clientMarks } }) =>
      name === host.name ? agentMarks : [...agentMarks, ...clientMarks],
    )
    .find((mark) => (env[mark] ?? "") !== "");

/**
 * Who calls without a ticket: an agent of any client is an agent, and so is what we have started ourselves. The mark says
 * nothing about the session unless its run is at work.
 */
export function callerOf(env: Environment, isTerminal: boolean): Caller {
  const driven = drivenBy(env);
  const callers = hosts.map((host) => host.environment.callerOf(env, isTerminal));
  const agents = callers.filter(({ authority }) => authority === "agent");
  const caller = agents.find(({ session }) => session !== null) ?? agents[0] ?? callers[0];
  if (driven === undefined) return caller as Caller;
  const session = isDriven(env) ? driven.slice(0, MAX_SESSION) : (caller?.session ?? null);
  return { session, authority: "agent" };
}
