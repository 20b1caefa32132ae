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

export { editionsOf } from "./client.ts";

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
  hosts.find(({ variables: { marks, own = marks } }) => firstOf(env, own) !== undefined) ??
  hosts[0];

const firstOf = (env: Environment, names: readonly string[]): string | undefined =>
  names.map((name) => env[name]).find((value) => (value ?? "") !== "");

/**
 * The variable that says that an agent, of whichever client, started the client whose hook this is: then nobody types
 * there. Some of a client's own marks are set for its hooks too; another client's never are.
 */
export const findAgentMark = (host: Host, env: Environment): string | undefined =>
  hosts
    .flatMap(({ name, variables: { marks, agentMarks, own = marks } }) =>
      name === host.name ? agentMarks : [...agentMarks, ...own],
    )
    .find((mark) => (env[mark] ?? "") !== "");

/** Who calls, as far as one client's variables show. */
export const callerIn = (
  { variables: { marks, session } }: Host,
  env: Environment,
  isTerminal: boolean,
): Caller =>
  firstOf(env, marks) === undefined
    ? { session: null, authority: isTerminal ? "user" : "script" }
    : { session: firstOf(env, session)?.slice(0, MAX_SESSION) ?? null, authority: "agent" };

/**
 * Who calls without a ticket: an agent of any client is an agent, and so is what we have started ourselves. The mark says
 * nothing about the session unless its run is at work.
 */
export function callerOf(env: Environment, isTerminal: boolean): Caller {
  const driven = drivenBy(env);
  const callers = hosts.map((host) => callerIn(host, env, isTerminal));
  const agents = callers.filter(({ authority }) => authority === "agent");
  const caller = agents.find(({ session }) => session !== null) ?? agents[0] ?? callers[0];
  if (driven === undefined) return caller as Caller;
  const session = isDriven(env) ? driven.slice(0, MAX_SESSION) : (caller?.session ?? null);
  return { session, authority: "agent" };
}
