import { locateProgram } from "../../exec/environment.ts";
import { askProgram } from "../../exec/start.ts";
import type { Place, Probe } from "../port.ts";

const WITHIN_MS = 15_000;

export type Ask = (...args: readonly string[]) => ReturnType<typeof askProgram>;

/** Whether a program is there, and in which version; then what else it says, without a model call. */
export async function probeProgram(
  place: Place,
  name: string,
  install: string,
  askMore: (version: string, ask: Ask) => Promise<Partial<Probe>>,
): Promise<Probe> {
  const missing = (why: string): Probe => ({ installed: false, why: `${name} ${why}` });
  if (locateProgram(name, place.env) === undefined)
    return missing(`is not on the PATH; ${install}`);
  const ask: Ask = (...args) => askProgram(place, [name, ...args], WITHIN_MS);
  const version = versionIn((await ask("--version"))?.stdout ?? "");
  if (version === undefined) return missing("--version does not answer; run it in a terminal");
  return { installed: true, version, ...(await askMore(version, ask)) };
}

/** The first version in what a program prints: `2.1.91`. */
export const versionIn = (printed: string): string | undefined =>
  /(?<!\d)\d+\.\d+\.\d+/.exec(printed)?.[0];

export function isOlder(version: string, than: string): boolean {
  const [a, b] = [version, than].map((text) => text.split(".").map(Number)) as [number[], number[]];
  const at = a.findIndex((part, i) => part !== b[i]);
  return at !== -1 && (a[at] as number) < (b[at] as number);
}
