import { fstatSync } from "node:fs";
import { createInterface } from "node:readline";

/** Whether a person is at the other end. Node takes milliseconds to set up a stream, only to say that it is a pipe. */
export function isTerminal(name: "stdin" | "stdout"): boolean {
  try {
    return fstatSync(name === "stdin" ? 0 : 1).isCharacterDevice() && process[name].isTTY === true;
  } catch {
    // Closed.
    return false;
  }
}

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

/** Ask a program to end. */
export const STOP_SIGNALS = ["SIGINT", "SIGTERM"] as const;

/** The same, and that its terminal is gone. */
export const SIGNALS = [...STOP_SIGNALS, "SIGHUP"] as const;
