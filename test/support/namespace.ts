import { it } from "vitest";
import { openNamespace } from "../../src/exec/namespace.ts";

const namespace = openNamespace(true);
const why = namespace.kind === "own" ? "" : ` (skipped: ${namespace.why})`;

/** The command line that runs a command in a PID namespace of its own. */
export const enclosed = (command: readonly string[]): readonly string[] =>
  namespace.kind === "own" ? namespace.enclose(command) : command;

const itIf = it.runIf(namespace.kind === "own");

/** A test that needs PID namespaces; without them, its name says why it is skipped. */
export const itEncloses = (name: string, test: () => Promise<void> | void, ms?: number): void =>
  itIf(`${name}${why}`, test, ms);
