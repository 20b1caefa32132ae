import { keepCompiled, load } from "../load/bundle.ts";

declare const __dirname: string;

/** The entry of the program. */
const body = load(`${__dirname}/cli-body.cjs`) as { readonly ran: string | undefined };
process.once("exit", () => {
  if (body.ran !== undefined) keepCompiled(body.ran);
});
