import { execFile, spawn } from "node:child_process";
import { createInterface } from "node:readline";
import { promisify } from "node:util";
import { CURRENT, installClient } from "./install.ts";

/** One line of the client's `stream-json` output. */
export interface ClientEvent {
  readonly type: string;
  readonly subtype?: string;
  readonly session_id?: string;
  readonly [field: string]: unknown;
}

export interface ClientOptions {
  readonly model: { readonly url: string };
  readonly cwd: string;
  /** A home of the test's own: settings, transcripts and installed plugins live there. */
  readonly home: string;
  readonly version?: string;
  /** The only prompt. Without it the client waits for prompts given with `say`. */
  readonly prompt?: string;
  readonly pluginDirs?: readonly string[];
  readonly sessionId?: string;
  /** Take up the session of this id, which must have run in the same home and folder. */
  readonly resume?: string;
  readonly settings?: object;
  /** `ask` leaves the permission checks on, where a headless client refuses what it would ask about. */
  readonly permissions?: "skip" | "ask";
  /** A user who answers what the agent asks. Without one a headless client has no AskUserQuestion. */
  readonly answer?: (question: string) => string;
  readonly env?: Readonly<Record<string, string>>;
  readonly timeoutMs?: number;
}

export interface ClientResult {
  readonly code: number | null;
  readonly signal: string | null;
  readonly timedOut: boolean;
  readonly events: readonly ClientEvent[];
  readonly stderr: string;
  readonly wallMs: number;
}

export interface Client {
  readonly events: readonly ClientEvent[];
  /**
   * Sends a prompt and waits until a turn, continuations included, has ended with such words: where agents work in
   * the background, several turns may follow one prompt.
   */
  say(prompt: string, until?: RegExp): Promise<void>;
  /** What Escape does in a terminal. */
  interrupt(): void;
  /** SIGKILL to the client and everything in its process group. */
  kill(): void;
  /** Ends the session after the turns that were asked for. */
  end(): Promise<ClientResult>;
  readonly done: Promise<ClientResult>;
}

/** The client asks whether a tool may be used: here only for what needs the user itself. */
interface Asked {
  readonly request_id: string;
  readonly request: {
    readonly input?: { readonly questions?: readonly { readonly question: string }[] };
  };
}

const TIMEOUT_MS = 60_000;

/**
 * The whole environment of a client under test. Nothing of the developer's own is passed on: it would
 * bring their account, their settings and a way to the network into the test.
 */
export function clientEnv(
  options: Pick<ClientOptions, "model" | "home" | "env">,
): NodeJS.ProcessEnv {
  return {
    PATH: process.env["PATH"],
    TERM: "dumb",
    HOME: options.home,
    // Otherwise each test leaves its task outputs and sockets in the machine's own temporary folder.
    TMPDIR: options.home,
    IS_SANDBOX: "1",
    ANTHROPIC_BASE_URL: options.model.url,
    ANTHROPIC_API_KEY: "made-up",
    DISABLE_AUTOUPDATER: "1",
    CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: "1",
    DISABLE_TELEMETRY: "1",
    DISABLE_ERROR_REPORTING: "1",
    ...options.env,
  };
}

function clientArgs(options: ClientOptions): string[] {
  const args = ["-p", "--output-format", "stream-json", "--verbose", "--include-hook-events"];
  if (options.permissions !== "ask") args.push("--dangerously-skip-permissions");
  for (const dir of options.pluginDirs ?? []) args.push("--plugin-dir", dir);
  if (options.sessionId !== undefined) args.push("--session-id", options.sessionId);
  if (options.resume !== undefined) args.push("--resume", options.resume);
  if (options.settings !== undefined) args.push("--settings", JSON.stringify(options.settings));
  if (options.answer !== undefined) args.push("--permission-prompt-tool", "stdio");
  if (options.prompt === undefined) args.push("--input-format", "stream-json");
  else args.push(options.prompt);
  return args;
}

export async function startClient(options: ClientOptions): Promise<Client> {
  const binary = await installClient(options.version ?? CURRENT);
  const began = Date.now();
  // A separate process group, so that a timeout also ends what the client's tools have started.
  const child = spawn(binary, clientArgs(options), {
    cwd: options.cwd,
    env: clientEnv(options),
    detached: true,
    stdio: "pipe",
  });
  const events: ClientEvent[] = [];
  const turns: { readonly until: RegExp; readonly end: () => void }[] = [];
  let stderr = "";
  let timedOut = false;
  child.stderr.on("data", (chunk: Buffer) => (stderr += chunk.toString()));
  createInterface({ input: child.stdout }).on("line", (line) => {
    const event = parseEvent(line);
    if (event === undefined) return;
    events.push(event);
    if (event.type === "control_request") reply(event as unknown as Asked);
    if (event.type !== "result") return;
    const ended = turns.findIndex(({ until }) => until.test(String(event["result"])));
    if (ended !== -1) turns.splice(ended, 1)[0]?.end();
  });
  const kill = (): void => {
    try {
      process.kill(-(child.pid as number), "SIGKILL");
    } catch {
      // It has already ended.
    }
  };
  const timer = setTimeout(() => {
    timedOut = true;
    kill();
  }, options.timeoutMs ?? TIMEOUT_MS);
  const done = new Promise<ClientResult>((resolve, reject) => {
    child.on("error", reject);
    child.on("close", (code, signal) => {
      clearTimeout(timer);
      for (const { end } of turns) end();
      resolve({ code, signal, timedOut, events, stderr, wallMs: Date.now() - began });
    });
  });
  // A killed client breaks the pipe; how it ended is in the result.
  child.stdin.on("error", () => undefined);
  const send = (line: object): void => void child.stdin.write(`${JSON.stringify(line)}\n`);
  const reply = ({ request_id, request }: Asked): void => {
    const answers = Object.fromEntries(
      (request.input?.questions ?? []).map(({ question }) => [
        question,
        options.answer?.(question) ?? "",
      ]),
    );
    const response = { behavior: "allow", updatedInput: { ...request.input, answers } };
    send({ type: "control_response", response: { subtype: "success", request_id, response } });
  };
  if (options.prompt !== undefined) child.stdin.end();
  return {
    events,
    done,
    kill,
    say: (prompt, until = /(?:)/) =>
      new Promise((resolve) => {
        turns.push({ until, end: resolve });
        send({ type: "user", message: { role: "user", content: prompt } });
      }),
    interrupt: () =>
      send({ type: "control_request", request_id: "stop", request: { subtype: "interrupt" } }),
    end: () => {
      child.stdin.end();
      return done;
    },
  };
}

/** A subcommand such as `plugin install`; rejects with its output when it fails. */
export async function runCommand(
  args: readonly string[],
  options: Pick<ClientOptions, "model" | "home" | "env" | "cwd" | "version">,
): Promise<string> {
  const binary = await installClient(options.version ?? CURRENT);
  const { cwd } = options;
  const { stdout } = await promisify(execFile)(binary, args, {
    cwd,
    env: clientEnv(options),
    timeout: TIMEOUT_MS,
  });
  return stdout;
}

function parseEvent(line: string): ClientEvent | undefined {
  try {
    return JSON.parse(line) as ClientEvent;
  } catch {
    return undefined;
  }
}
