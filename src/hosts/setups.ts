import type { Diagnostic } from "../text/diagnostic.ts";
import { setup as claude } from "./claude/setup.ts";
import { setup as codex } from "./codex/setup.ts";
import { setup as copilot } from "./copilot/setup.ts";
import { setup as gemini } from "./gemini/setup.ts";
import type { Environment } from "./host.ts";
import { setup as opencode } from "./opencode/setup.ts";
import { setup as qwen } from "./qwen/setup.ts";
import { checkVersion, type HostSetup, readVersion } from "./setup.ts";

/** Of every client. The first is named if none is installed. */
export const setups: readonly HostSetup[] = [claude, codex, gemini, opencode, qwen, copilot];

/** Whether the client is installed and new enough. The code is the client's name; `info` if it is not there. */
const checkClient = (setup: HostSetup, env: Environment): Diagnostic =>
  checkVersion(setup, readVersion(setup.name, env));

/** Whether a client is on this machine. */
export const hasClient = (setup: HostSetup, env: Environment): boolean =>
  checkClient(setup, env).severity !== "info";

/** The clients on this machine, each with what its version says. */
export function findClients(
  env: Environment,
): readonly { readonly setup: HostSetup; readonly client: Diagnostic }[] {
  const found = setups.map((setup) => ({ setup, client: checkClient(setup, env) }));
  const installed = found.filter(({ client }) => client.severity !== "info");
  return installed.length > 0 ? installed : found.slice(0, 1);
}
