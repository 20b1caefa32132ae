import { findActiveRun } from "../../engine/whose-run.ts";
import type { HostEvent } from "../../hosts/host.ts";
import type { Edition } from "../../layouts/layout.ts";
import { faultOf } from "../../store/read.ts";
import type { Spec } from "../../store/spec.ts";
import { oneLine } from "../../text/template.ts";
import { print } from "../stdio/print.ts";

/** How every event of a client begins: find the spec whose run it may concern. */
export function activeSpec(layout: Edition, event: HostEvent): Spec | undefined {
  const { spec, why } = findActiveRun(layout, event);
  if (why !== undefined) log(layout, `WARNING: ${why}; nothing is run`);
  return spec;
}

export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Whatever goes wrong in a hook, the agent may stop, and the user learns why. */
export function logFault(layout: Edition, error: unknown): string {
  const why = faultOf(error) ?? (error instanceof Error ? error.message : String(error));
  const line = `${why}; the loop stops here, ${layout.voice.command("status")} shows details`;
  log(layout, line);
  return oneLine(line, MAX_LINE);
}

/**
 * Each line begins with the plugin's name, so the same name at the start of a line for the user is dropped. Lines quote
 * the spec, the state and the agent: none of them may control a terminal or fill the screen.
 */
export function log({ plugin, voice }: Edition, line: string): void {
  const brand = `${voice.brand}: `;
  const rest = line.startsWith(brand) ? line.slice(brand.length) : line;
  print(2, `[${plugin}] ${oneLine(rest, MAX_LINE)}\n`);
}

export const MAX_LINE = 1000;
