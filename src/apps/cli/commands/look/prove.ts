import { proveSpecs } from "../../../../engine/prove-spec.ts";
import { isFailure } from "../../../../spec/verdict.ts";
import { print } from "../../../stdio/print.ts";
import { stringOption, wholeNumber } from "../../arguments.ts";
import type { Command } from "../../command.ts";
import { specAtWork, specOf, specsOf, tellTree } from "../../named-spec.ts";
import { paint } from "../../paint.ts";
import { renderProof } from "../../proof-table.ts";
import { makeTicker } from "../../ticker.ts";

export const prove: Command = {
  summary: "run the Verify of every ticked task again, in a clean checkout",
  args: ["[spec]"],
  writes: true,
  options: {
    all: { summary: "every spec of the project" },
    at: {
      value: "commit",
      summary: "what to check out; by default HEAD, or the run's branch until take",
    },
    receipt: { summary: "run each task at the commit that its receipt names" },
    parallel: { value: "n", summary: "run up to n tasks at a time, each in its own checkout (1)" },
    timeout: { value: "seconds", summary: "how long one command may take" },
    setup: { summary: "first run the prove_setup of the project's own settings" },
  },
  details: `It runs commands that somebody wrote into tasks.md, as you: read them first if the repository is not yours.
The commit is checked out into a temporary work tree, which is removed afterwards; your own files are not touched, and
what is not committed is not there, except copies of what is installed in your tree (node_modules, .venv), as in the
last check of run. prove_setup or run_setup in your own settings installs it there instead (npm ci); prove_setup in the
project's settings runs only with --setup. A Verify whose program or package is not installed could not be run, which
fails too. tasks.md and the receipt are those of the commit. verify_allow is respected.
A [RED] task shows that a test fails, which is no longer so at HEAD: it is run only with --receipt.
Exits with 0 only if every ticked task that has something to run passes again, otherwise with 1.`,
  async run(context, input) {
    const isTerminal = process.stderr.isTTY === true;
    // A commit is named as it is called in the user's tree: HEAD is theirs.
    const specs = specsOf(context, input, input.options["at"] === undefined ? specAtWork : specOf);
    const proof = await proveSpecs(
      context,
      specs,
      {
        isAll: input.options["all"] === true,
        at: stringOption(input, "at"),
        atReceipt: input.options["receipt"] === true,
        parallel: wholeNumber(input, "parallel") ?? 1,
        timeoutSeconds: wholeNumber(input, "timeout"),
        allowsSetup: input.options["setup"] === true,
      },
      (total) => makeTicker("proving", total, isTerminal, (text) => print(2, text)),
    );
    const tasks = proof.specs.flatMap((spec) => spec.tasks);
    return {
      ok: !tasks.some(({ verdict }) => isFailure(verdict)),
      text: [
        renderProof(proof, paint(context.colour), context.width),
        ...specs.flatMap(tellTree),
      ].join("\n"),
      json: proof,
    };
  },
};
