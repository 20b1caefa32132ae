import { type ChildProcess, spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { closeSync, fstatSync, readSync } from "node:fs";
import { join } from "node:path";
import { Refusal } from "../../engine/refusal.ts";
import { outputFile, readRun, runsFolder } from "../../runner/run-files.ts";
import { MAX_BYTES } from "../../store/read.ts";
import { leaveTicket } from "../../store/tickets.ts";
import { removeFile } from "../../store/write.ts";
import { quoteForShell } from "../../text/quote.ts";
import { SHELL_PROGRAM } from "../../text/wording.ts";
import {
  type Context,
  EXIT,
  EXIT_CODES,
  type ExitCode,
  type Input,
  type Result,
} from "../cli/command.ts";
import { renderTable } from "../cli/help.ts";
import { STOP_SIGNALS } from "../stdio/terminal.ts";
import { DETACHED, DETACHED_COMMAND, type FirstMessage, openOutput } from "./detached.ts";

declare const __dirname: string;

/** Options that this command handles itself, or that make no sense without a terminal. */
const NOT_PASSED_ON: ReadonlySet<string> = new Set([
  "detach",
  "json",
  "plain",
  "directory",
  "help",
]);

/**
 * Starts the same run in a separate process that outlives the terminal, and returns once it is working. A refusal is
 * reported here, as it would be without `--detach`.
 */
export async function detachRun(context: Context, input: Input): Promise<Result> {
  const token = `detached-${randomBytes(12).toString("hex")}`;
  const { path, fd } = openOutput(token);
  try {
    if (context.caller.authority === "user")
      leaveTicket(token, {
        command: DETACHED_COMMAND,
        args: "",
        from: "prompt",
        at: context.now().at,
      });
    const child = spawn(
      process.execPath,
      [join(__dirname, "smart-ralph.cjs"), ...formatArgs(input, context)],
      {
        cwd: context.cwd,
        env: { ...process.env, [DETACHED]: token },
        // A separate session: closing the terminal ends only the terminal's own.
        detached: true,
        windowsHide: true,
        stdio: ["ignore", fd, fd, "ipc"],
      },
    );
    const isShown = context.width !== undefined && input.options["json"] !== true;
    const patience = setTimeout(() => isShown && context.write(GETTING_READY), PATIENCE_MS);
    const first = await waitForFirstMessage(child).finally(() => clearTimeout(patience));
    if (first.kind === "started") return describe(first.run, child.pid ?? 0);
    if (first.kind === "refused") throw new Refusal(first.why, first.message, first.fix);
    return { ok: first.ok, code: first.code, text: readOutput(fd), json: first };
  } finally {
    closeSync(fd);
    // A run that has a folder has moved its output there.
    removeFile(path);
  }
}

/** The end of the run's output, even if the file has been moved. */
function readOutput(fd: number): string {
  const { size } = fstatSync(fd);
  const buffer = Buffer.alloc(Math.min(size, MAX_BYTES.state));
  const read = readSync(fd, buffer, 0, buffer.length, size - buffer.length);
  return buffer.toString("utf8", 0, read).trimEnd();
}

/** After this long the user is told; a new work tree may have to be set up first. */
const PATIENCE_MS = 5000;
const GETTING_READY = "The run is getting ready; Ctrl-C stops it.\n";

function formatArgs({ args, options }: Input, { cwd }: Context): string[] {
  const given = Object.entries(options).flatMap(([name, value]) => {
    if (NOT_PASSED_ON.has(name)) return [];
    if (value === true) return [`--${name}`];
    return typeof value === "string" ? [`--${name}=${value}`] : [];
  });
  const directory = options["directory"] === undefined ? [] : [`--directory=${cwd}`];
  return ["run", ...given, ...directory, "--plain", "--", ...args];
}

interface Ended {
  readonly kind: "ended";
  readonly ok: boolean;
  readonly code: ExitCode;
}

/** The run's first message, or how it ended without one. Ctrl-C is passed on to the run meanwhile. */
async function waitForFirstMessage(child: ChildProcess): Promise<FirstMessage | Ended> {
  const stop = (): void => void child.kill("SIGINT");
  for (const signal of STOP_SIGNALS) process.on(signal, stop);
  try {
    return await new Promise((resolve, reject) => {
      let refused: FirstMessage | undefined;
      let ended: Ended | undefined;
      // A refused run cleans up before it exits, and its message may arrive after the exit.
      const settle = (): void => {
        if (ended !== undefined && !child.connected) resolve(refused ?? ended);
      };
      child.on("error", reject);
      child.on("message", (message) => {
        const first = message as FirstMessage;
        if (first.kind === "started") resolve(first);
        else refused = first;
      });
      child.on("disconnect", settle);
      child.on("exit", (code) => {
        const known = EXIT_CODES.find((one) => one === code) ?? EXIT.internal;
        ended = { kind: "ended", ok: known === EXIT.ok, code: known };
        settle();
      });
    });
  } finally {
    for (const signal of STOP_SIGNALS) process.off(signal, stop);
    if (child.connected) child.disconnect();
    child.unref();
  }
}

function describe(id: string, pid: number): Result {
  const runs = runsFolder() ?? "";
  const log = outputFile({ folder: join(runs, id) });
  const [spec, ...others] = readRun(runs, id)?.info.specs ?? [];
  const watch = `${SHELL_PROGRAM} watch ${id}`;
  const stop = `${SHELL_PROGRAM} stop ${id}`;
  const isOne = spec !== undefined && others.length === 0;
  const report = isOne ? `${SHELL_PROGRAM} summary ${quoteForShell(spec)}` : watch;
  const rows: [string, string][] = [
    [watch, "shows it (q leaves); once it has ended, its report"],
    [stop, "stops it"],
    ...(isOne ? [[report, "its report, also while it is running"] as [string, string]] : []),
  ];
  return {
    text: [
      `Run ${id} is working in the background. You can close this terminal.`,
      renderTable(rows),
      `Its output is in ${log}`,
    ].join("\n"),
    json: { run: id, pid, log, watch, stop, report },
    verbatim: true,
  };
}
