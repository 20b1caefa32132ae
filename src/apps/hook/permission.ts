import { accessSync, constants, realpathSync } from "node:fs";
import { delimiter, join, resolve } from "node:path";
import { readNow } from "../../engine/now.ts";
import { ownSpec } from "../../engine/whose-run.ts";
import { isAgentVerb } from "../../hosts/agent-verbs.ts";
import type { Environment, Host } from "../../hosts/host.ts";
import type { Edition } from "../../layouts/layout.ts";
import { currentLoop } from "../../run/loop.ts";
import { readGlance } from "../../store/spec-files.ts";
import { parseSimpleCommand } from "../../text/simple-command.ts";

declare const __dirname: string;

/**
 * The agent is about to run our program. What a run asks of its agent needs no question to the user, who may be away;
 * about everything else we have no opinion. A slash command's own list of allowed tools does not reach the turns that an
 * agent's end in the background begins.
 */
export function permission(layout: Edition, host: Host, input: unknown, env: Environment): string {
  const asked = host.wire.parseCommand?.(input, env);
  const [program, ...args] = parseSimpleCommand(asked?.command ?? "") ?? [];
  if (asked === undefined || program !== layout.plugin || !isAgentVerb(args)) return "";
  if (!isOnlyOurs(program, asked.cwd, env)) return "";
  const spec = ownSpec(layout, asked);
  const disk = spec === undefined ? undefined : readGlance(spec);
  if (disk?.state.kind !== "ok") return "";
  const { session } = currentLoop(disk.state.state, disk.last, readNow());
  if (session === null || session !== asked.sessionId) return "";
  return host.wire.formatPermission?.(`a command of the run, ${program} ${args[0]}`) ?? "";
}

/** The client puts our program on PATH; whoever put another of that name there does not get it run. */
function isOnlyOurs(program: string, cwd: string, env: Environment): boolean {
  const ours = realOf(join(__dirname, "..", "bin", program));
  if (ours === undefined) return false;
  return (env["PATH"] ?? "").split(delimiter).every((folder) => {
    const found = realOf(resolve(cwd, folder, program));
    return found === undefined || found === ours;
  });
}

function realOf(path: string): string | undefined {
  try {
    accessSync(path, constants.X_OK);
    return realpathSync(path);
  } catch {
    return undefined;
  }
}
