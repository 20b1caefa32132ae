import { writeSync } from "node:fs";
import { keepCompiled, load } from "../load/bundle.ts";

declare const __dirname: string;

/** The entry of the hook. */
try {
  const { ran } = load(`${__dirname}/hook-body.cjs`) as { readonly ran: string | undefined };
  if (ran !== undefined) keepCompiled(ran);
} catch (error) {
  // Only a damaged plugin gets here: the hook handles its own errors.
  const why = error instanceof Error ? error.message.split("\n", 1)[0] : String(error);
  writeSync(2, `[smart-ralph] the hook could not start: ${why}; install the plugin again\n`);
}
// Everything is written; an orderly shutdown of the engine would only take time. The first call is what the second ends
// in.
(process as { reallyExit?: (code: number) => void }).reallyExit?.(0);
process.exit(0);
