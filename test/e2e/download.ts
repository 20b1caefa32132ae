import { isQuick } from "../support/full.ts";
import { installAdapter, installClientNode, VERSIONS } from "./hosts/adapter.ts";
import { adapters } from "./hosts/all.ts";
import { installClient, TRIED } from "./install.ts";

/**
 * `node scripts/run.mjs test/e2e/download.ts`: downloads the real clients and prints, as JSON, those that cannot be had
 * and why. The other clients need a newer Node as well.
 */
async function download(): Promise<Readonly<Record<string, string>>> {
  if (process.env[VERSIONS] === "latest") return {};
  const why = (wanted: Promise<unknown>): Promise<string | undefined> =>
    wanted.then(
      () => undefined,
      ({ message }: Error) =>
        (/^npm error .* .*$/m.exec(message.replaceAll(DULL, "")) ?? [message])[0],
    );
  const others = isQuick ? [] : adapters.filter(({ id }) => id !== "claude");
  const node = others.length === 0 ? undefined : why(installClientNode());
  const found = await Promise.all([
    ...TRIED.map(async (version) => ["claude", await why(installClient(version))] as const),
    ...others.map(
      async (one) => [one.id, (await why(installAdapter(one))) ?? (await node)] as const,
    ),
  ]);
  return Object.fromEntries(
    found.filter((pair): pair is [string, string] => pair[1] !== undefined),
  );
}

/** What npm says before it comes to the point. */
const DULL = /^npm error (?:code|syscall|errno) .*$/gm;

process.stdout.write(JSON.stringify(await download()));
