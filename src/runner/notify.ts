import { spawn } from "node:child_process";
import { type Environment, readVariable } from "../exec/program.ts";
import { readShell } from "../exec/shell.ts";
import { DRIVEN } from "../run/driven.ts";
import { runnerSession } from "../run/runner-session.ts";
import { clean, oneLine } from "../text/template.ts";
import type { RunEvent } from "./events.ts";

/** What is worth a notification. */
export type Occasion = "question" | "finished" | "stuck" | "limit" | "budget";

export interface Notification {
  readonly event: Occasion;
  /** A sentence for people. It contains agents' words, so treat it as data everywhere. */
  readonly text: string;
  /** Null if it is about the whole run. */
  readonly spec: string | null;
}

/** From the user's own settings, never from a project's. */
export interface NotifySettings {
  /** A command line for the shell. */
  readonly command: string | undefined;
  /** Where to post. */
  readonly url: string | undefined;
}

const MAX_TEXT = 1000;

/** Undefined for most events, which only the screen shows. */
export function notificationOf(event: RunEvent): Notification | undefined {
  const about = (on: Occasion, text: string, spec: string | null = null): Notification => ({
    event: on,
    text: oneLine(text, MAX_TEXT),
    spec,
  });
  switch (event.kind) {
    case "question": {
      const { id, spec, task, text, options } = event;
      const choice = options.length === 0 ? "" : ` (${options.join(" / ")})`;
      return about("question", `Question ${id}, ${spec} ${task}: ${text}${choice}`, spec);
    }
    case "approval":
      return about("question", `${event.spec} waits for your approval: ${event.text}`, event.spec);
    case "limit": {
      const until = event.until === null ? "" : ` until ${event.until}`;
      return about("limit", `${event.agent} has reached its usage limit${until}: ${event.text}`);
    }
    case "budget":
      return about("budget", event.text);
    case "run-ended": {
      const on = ENDS[event.status];
      if (on === undefined) return undefined;
      const text = oneLine(event.text, MAX_TEXT) || on.text;
      return about(on.event, `${text} (${event.done} of ${event.total} tasks done)`);
    }
    default:
      return undefined;
  }
}

/**
 * Each with its text if the event has none. A budget that is used up has its own event, and users know when they
 * stop a run.
 */
const ENDS: Partial<
  Record<
    Extract<RunEvent, { kind: "run-ended" }>["status"],
    { readonly event: Occasion; readonly text: string }
  >
> = {
  finished: { event: "finished", text: "The run has finished" },
  unproven: { event: "finished", text: "The run has finished, but not all of it is proven" },
  stuck: { event: "stuck", text: "The run is stuck" },
  unavailable: { event: "stuck", text: "No agent can be used" },
  waits: { event: "question", text: "The run waits for you" },
};

export interface Notifier {
  readonly tell: (event: RunEvent) => void;
  /** Settles when everything has been sent, or given up. */
  readonly drained: () => Promise<void>;
}

/** A receiver that does not answer must not hold up a run. */
const TIMEOUT_MS = 10_000;

/** Notifies the user through the channels they have set up. A failure is noted once per channel, and is never fatal. */
export function makeNotifier(
  { command, url }: NotifySettings,
  run: string,
  note: (line: string) => void,
  { env = process.env, timeoutMs = TIMEOUT_MS }: { env?: Environment; timeoutMs?: number } = {},
): Notifier {
  const failed = new Set<string>();
  let pending: Promise<unknown> = Promise.resolve();
  const sendBy = (channel: string, send: () => Promise<string | undefined>): void => {
    pending = pending.then(async () => {
      const why = await send().catch((error: unknown) => String(error));
      if (why === undefined || failed.has(channel)) return;
      failed.add(channel);
      note(`${channel} did not work: ${oneLine(why, 300)}`);
    });
  };
  return {
    tell(event) {
      const news = notificationOf(event);
      if (news === undefined) return;
      const json = JSON.stringify({ ...news, run, at: event.at });
      if (command !== undefined)
        sendBy("the notify command", () => runCommand(command, news, run, json, env, timeoutMs));
      if (url !== undefined) sendBy("notify_url", () => post(url, json, timeoutMs));
    },
    drained: () => pending.then(() => {}),
  };
}

/** The text is never part of the command line: the command finds it in its environment, and as JSON on its input. */
function runCommand(
  command: string,
  { event, text, spec }: Notification,
  run: string,
  json: string,
  env: Environment,
  timeoutMs: number,
): Promise<string | undefined> {
  const given = {
    ...env,
    [DRIVEN]: runnerSession(run),
    SMART_RALPH_EVENT: event,
    SMART_RALPH_TEXT: clean(text),
    SMART_RALPH_SPEC: spec ?? "",
  };
  const { file, args } = readShell(command, env);
  return new Promise((resolve) => {
    const isGroup = process.platform !== "win32";
    const options = {
      env: given,
      stdio: ["pipe", "ignore", "ignore"] as ["pipe", "ignore", "ignore"],
    };
    const child =
      file === undefined
        ? spawn(command, { ...options, shell: readVariable(env, "COMSPEC") ?? true })
        : spawn(file, args, { ...options, detached: isGroup });
    const end = (): void => {
      try {
        if (isGroup && child.pid !== undefined) process.kill(-child.pid, "SIGKILL");
        else child.kill("SIGKILL");
      } catch {
        // It has ended.
      }
    };
    const timer = setTimeout(() => {
      end();
      resolve(`it took longer than ${timeoutMs / 1000} seconds`);
    }, timeoutMs);
    const finish = (why: string | undefined): void => {
      clearTimeout(timer);
      resolve(why);
    };
    child.once("error", (error) => finish(error.message));
    child.once("exit", (code) => finish(code === 0 ? undefined : `exit code ${code ?? "none"}`));
    child.stdin?.on("error", () => {}).end(`${json}\n`);
  });
}

const MAX_REDIRECTS = 3;

async function post(url: string, body: string, timeoutMs: number): Promise<string | undefined> {
  const signal = AbortSignal.timeout(timeoutMs);
  let at = readUrl(url);
  for (let i = 0; at !== undefined && i <= MAX_REDIRECTS; i++) {
    const answer: Response = await fetch(at, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body,
      redirect: "manual",
      signal,
    });
    await answer.body?.cancel();
    if (answer.ok) return undefined;
    const to = answer.status >= 300 && answer.status < 400 ? answer.headers.get("location") : null;
    if (to === null) return `the server answered ${answer.status}`;
    const next = readUrl(new URL(to, at).href);
    // The server chooses the target of a redirect, and what we send is private.
    if (next === undefined || next.host !== at.host) return "it redirects to another host";
    at = next;
  }
  return at === undefined ? "it is not an http or https address" : "it redirects too often";
}

function readUrl(text: string): URL | undefined {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  return url?.protocol === "http:" || url?.protocol === "https:" ? url : undefined;
}
