import type { Diagnostic } from "../text/diagnostic.ts";
import { checks as claude } from "./claude/doctor.ts";
import type { Environment } from "./host.ts";

/** What `doctor` checks about a client. Separate from `Host`, because no hook needs it. */
export interface HostChecks {
  /** Whether the client is installed and new enough. Its code is the host's name. */
  readonly checkClient: (env: Environment) => Diagnostic;
  /** Other plugins and settings of the client that would compete with ours. */
  readonly checkOthers: (root: string, env: Environment) => readonly Diagnostic[];
  /** Whether the client runs our plugin there. */
  readonly checkPlugin: (plugin: string, root: string, env: Environment) => Diagnostic;
}

export const checks: HostChecks = claude;
