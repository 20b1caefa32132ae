import { appendFileSync } from "node:fs";
import { parseArguments } from "../../src/apps/cli/arguments.ts";
import type { Context } from "../../src/apps/cli/command.ts";
import { renderError, renderResult } from "../../src/apps/cli/output.ts";
import { wantsColour } from "../../src/apps/cli/paint.ts";
import { replayRun } from "../../src/apps/run/replay.ts";
import { openShow } from "../../src/apps/run/show.ts";
import { viewCommands } from "../../src/apps/run/view-commands.ts";
import { watchRun } from "../../src/apps/run/watch.ts";
import { print } from "../../src/apps/stdio/print.ts";
import { readNow } from "../../src/engine/now.ts";
import { startsOf } from "../../src/engine/whose-run.ts";
import { localRunner } from "../../src/exec/local-runner.ts";
import { callerOf, editionsOf, hostOf } from "../../src/hosts/all.ts";
import type { Controls } from "../../src/runner/controls.ts";
import { readEvents } from "../../src/runner/read-events.ts";
import { findRun } from "../../src/runner/run-list.ts";

/** `watch` and `replay` as a program, with controls that write down what they were asked. */
const note =
  (name: string) =>
  (...words: readonly unknown[]): void =>
    appendFileSync(process.env["CONTROLS"] ?? "", `${[name, ...words].join(" ")}\n`);

const controls: Controls = {
  pause() {
    note("pause")();
    if (process.env["CRASH"] !== undefined)
      setImmediate(() => {
        throw new Error("made to crash");
      });
  },
  resume: note("resume"),
  skip: note("skip"),
  answer: note("answer"),
  stop: note("stop"),
};

const host = hostOf(process.env);
const context: Context = {
  host,
  editions: editionsOf(host),
  layout: undefined,
  program: "smart-ralph",
  caller: callerOf(process.env, true),
  cwd: process.cwd(),
  starts: startsOf(process.cwd(), undefined),
  env: process.env,
  now: readNow,
  colour: wantsColour(process.stdout.isTTY === true, process.env),
  width: process.stdout.isTTY ? process.stdout.columns : undefined,
  readStdin: () => "",
  write: (text) => print(1, text),
  verifier: localRunner,
  signal: () => new AbortController().signal,
};

/** As `run` does, with a run that happened before. */
async function showRun(json: boolean): Promise<void> {
  const run = findRun(undefined, undefined);
  let stop = (): void => {};
  const stopped = new Promise<void>((resolve) => {
    stop = resolve;
  });
  // `run` hears signals itself.
  process.on("SIGTERM", stop);
  const own = { ...controls, stop };
  const show = openShow(context, { json, controls: own, folder: () => run });
  for (const event of readEvents(run)) show.tell(event);
  if (process.stdout.isTTY) await stopped;
  show.close();
  if (process.stdout.isTTY) print(1, "stopped by a key\n");
}

async function main([name = "", ...rest]: readonly string[]): Promise<void> {
  if (name === "show") return showRun(rest.includes("--json"));
  const commands = viewCommands(() => ({ watch: watchRun(() => controls), replay: replayRun }));
  const command = commands.find((one) => one.name === name);
  if (command === undefined) throw new Error(`no command ${name}`);
  try {
    const input = parseArguments(command, rest, "smart-ralph");
    const result = await command.run(context, input);
    print(1, renderResult(result, input.options["json"] === true, context));
  } catch (error) {
    const { code, text } = renderError(error, "smart-ralph", false, false);
    print(2, text);
    process.exitCode = code;
  }
}

void main(process.argv.slice(2));
