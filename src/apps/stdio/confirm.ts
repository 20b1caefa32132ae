import { createInterface } from "node:readline";

/** Asks the person at the terminal. Everything but yes is a no: Enter, Ctrl-C, the end of the input. */
export const confirm = (question: string): Promise<boolean> =>
  new Promise((resolve) => {
    const lines = createInterface({ input: process.stdin, output: process.stdout });
    lines.once("close", () => resolve(false));
    lines.once("SIGINT", () => lines.close());
    lines.question(question, (said) => {
      resolve(/^y(?:es)?$/i.test(said.trim()));
      lines.close();
    });
  });
