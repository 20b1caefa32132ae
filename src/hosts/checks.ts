import type { Diagnostic } from "../text/diagnostic.ts";
import { checks as claude } from "./claude/doctor.ts";
import { checks as codex } from "./codex/doctor.ts";
import { checks as copilot } from "./copilot/doctor.ts";
import { checks as gemini } from "./gemini/doctor.ts";
import type { Environment } from "./host.ts";
import { checks as opencode } from "./opencode/doctor.ts";
import { checks as qwen } from "./qwen/doctor.ts";

/** What `doctor` checks about a client. Separate from `Host`, because no hook needs it. */
export interface HostChecks {
  readonly name: string;
  /** Whether the client is installed and new enough. Its code is the client's name; `info` if it is not there. */
  readonly checkClient: (env: Environment) => Diagnostic;
  /** Other plugins and settings of the client that would compete with ours. */
  readonly checkOthers: (
    root: string,
    env: Environment,
  ) => readonly Diagnostic[] | Promise<readonly Diagnostic[]>;
  /** Whether the client runs our plugin there. */
  readonly checkPlugin: (
    plugin: string,
    root: string,
    env: Environment,
  ) => Diagnostic | Promise<Diagnostic>;
}

/** Of every client. The first is named if none is installed. */
const all: readonly [HostChecks, ...HostChecks[]] = [
  claude,
  codex,
  gemini,
  opencode,
  qwen,
  copilot,
];

/** Whether a client is on this machine. */
export const hasClient = (name: string, env: Environment): boolean =>
  all.some((checks) => checks.name === name && checks.checkClient(env).severity !== "info");

/** The clients on this machine, each with what its version says. */
export function findClients(
  env: Environment,
): readonly { readonly checks: HostChecks; readonly client: Diagnostic }[] {
  const found = all.map((checks) => ({ checks, client: checks.checkClient(env) }));
  const installed = found.filter(({ client }) => client.severity !== "info");
  return installed.length > 0 ? installed : found.slice(0, 1);
}
