import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { quoteForShell } from "../../../src/text/quote.ts";
import { type Adapter, installAdapter, installClientNode } from "../hosts/adapter.ts";

/** Puts a client that is a script in `bin`, to be run with the Node that clients need. */
export async function linkProgram(client: Adapter, name: string, bin: string): Promise<string> {
  const [node, script] = await Promise.all([installClientNode(), installAdapter(client)]);
  const text = `#!/bin/sh\nexec ${quoteForShell(node)} ${quoteForShell(script)} "$@"\n`;
  writeFileSync(join(bin, name), text, { mode: 0o755 });
  return script;
}
