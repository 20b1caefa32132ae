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
import { type Context, EXIT, type ExitCode, type Input, type Result } from "../cli/command.ts";
import { renderTable } from "../cli/help.ts";
import { DETACHED, DETACHED_COMMAND, type FirstWord, openOutput } from "./detached.ts";

declare const __dirname: string;

/** Said by this command, or of no use to a run that nobody looks at. */
const OWN: ReadonlySet<string> = new Set(["detach", "json", "plain", "directory", "help"]);

/**
 * Starts the same run in a process of its own, which no terminal ends, and returns once it is at work. A run that is
 * refused says so here, as it would have without `--detach`.
 */
export async function detachRun(context: Context, input: Input): Promise<Result> {
  const word = `detached-${randomBytes(12).toString("hex")}`;
  const { path, fd } = openOutput(word);
  try {
    if (context.caller.authority === "user")
      leaveTicket(word, {
        command: DETACHED_COMMAND,
        args: "",
        from: "prompt",
        at: context.now().at,
      });
    const child = spawn(
      process.execPath,
      [join(__dirname, "smart-ralph.cjs"), ...wordsOf(input, context)],
      {
        cwd: context.cwd,
        env: { ...process.env, [DETACHED]: word },
        // A session of its own: a terminal that is closed ends only its own.
        detached: true,
        windowsHide: true,
        stdio: ["ignore", fd, fd, "ipc"],
      },
    );
    const isShown = context.width !== undefined && input.options["json"] !== true;
    const patience = setTimeout(() => isShown && context.write(GETTING_READY), PATIENCE_MS);
    const first = await hearFirst(child).finally(() => clearTimeout(patience));
    if (first.kind === "started") return describe(first.run, child.pid ?? 0);
    if (first.kind === "refused") throw new Refusal(first.why, first.message, first.fix);
    return { code: first.code, text: readSaid(fd), json: first };
  } finally {
    closeSync(fd);
    // Once the run has a folder, its output is there.
    removeFile(path);
  }
}

/** The end of what it printed, wherever that file is by now. */
function readSaid(fd: number): string {
  const { size } = fstatSync(fd);
  const buffer = Buffer.alloc(Math.min(size, MAX_BYTES.state));
  const read = readSync(fd, buffer, 0, buffer.length, size - buffer.length);
  return buffer.toString("utf8", 0, read).trimEnd();
}

/** A new work tree may have to be made and set up. */
const PATIENCE_MS = 5000;
const GETTING_READY = "The run is getting ready; Ctrl-C stops it.\n";

function wordsOf({ args, options }: Input, { cwd }: Context): string[] {
  const given = Object.entries(options).flatMap(([name, value]) => {
    if (OWN.has(name)) return [];
    if (value === true) return [`--${name}`];
    return typeof value === "string" ? [`--${name}=${value}`] : [];
  });
  const there = options["directory"] === undefined ? [] : [`--directory=${cwd}`];
  return ["run", ...given, ...there, "--plain", "--", ...args];
}

interface Ended {
  readonly kind: "ended";
  readonly ok: boolean;
  readonly code: ExitCode;
}

/** What it says first, or how it ended without a word. Ctrl-C meanwhile is meant for it. */
async function hearFirst(child: ChildProcess): Promise<FirstWord | Ended> {
  const stop = (): void => void child.kill("SIGINT");
  for (const signal of SIGNALS) process.on(signal, stop);
  try {
    return await new Promise((resolve, reject) => {
      let refused: FirstWord | undefined;
      let ended: Ended | undefined;
      // A refused one has to tidy up first; and what it said may come after its end.
      const settle = (): void => {
        if (ended !== undefined && !child.connected) resolve(refused ?? ended);
      };
      child.on("error", reject);
      child.on("message", (said) => {
        const first = said as FirstWord;
        if (first.kind === "started") resolve(first);
        else refused = first;
      });
      child.on("disconnect", settle);
      child.on("exit", (code) => {
        const known = Object.values(EXIT).find((one) => one === code) ?? EXIT.internal;
        ended = { kind: "ended", ok: known === EXIT.ok, code: known };
        settle();
      });
    });
  } finally {
    for (const signal of SIGNALS) process.off(signal, stop);
    if (child.connected) child.disconnect();
    child.unref();
  }
}

const SIGNALS = ["SIGINT", "SIGTERM"] as const;

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
    ...(isOne ? [[report, "its report, also while it is on"] as [string, string]] : []),
  ];
  return {
    text: [
      `Run ${id} works in the background. You can close this terminal.`,
      renderTable(rows),
      `What it prints is in ${log}`,
    ].join("\n"),
    json: { ok: true, run: id, pid, log, watch, stop, report },
    verbatim: true,
  };
}
