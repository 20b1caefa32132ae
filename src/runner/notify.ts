import type { Environment } from "../exec/program.ts";
import { startProgram } from "../exec/start.ts";
import { DRIVEN } from "../run/driven.ts";
import { runnerSession } from "../run/runner-session.ts";
import { clean, oneLine } from "../text/template.ts";
import type { EventSink } from "./emit.ts";
import type { RunEvent } from "./events.ts";
import { RUN_ENDS, type RunEnd } from "./run-status.ts";

/** What is worth a notification. */
export type Occasion = NonNullable<RunEnd["notify"]>["event"] | "limit" | "budget";

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
      const { notify: on } = RUN_ENDS[event.status];
      if (on === undefined) return undefined;
      const text = oneLine(event.text, MAX_TEXT) || on.text;
      return about(on.event, `${text} (${event.done} of ${event.total} tasks done)`);
    }
    default:
      return undefined;
  }
}

export interface Notifier {
  readonly tell: EventSink;
  /** Settles when everything has been sent, or given up. */
  readonly drained: () => Promise<void>;
}

/** A receiver that does not answer must not hold up a run. */
const TIMEOUT_MS = 10_000;

/** Notifies the user through the channels they have set up. A failure is noted once per channel, and is never fatal. */
export function makeNotifier(
  { command, url }: NotifySettings,
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
      const { run, at } = event;
      const json = JSON.stringify({ ...news, run, at });
      if (command !== undefined)
        sendBy("the notify command", () => runCommand(command, news, run, json, env, timeoutMs));
      if (url !== undefined) sendBy("notify_url", () => post(url, json, timeoutMs));
    },
    drained: () => pending.then(() => {}),
  };
}

/** The text is never part of the command line: the command finds it in its environment, and as JSON on its input. */
async function runCommand(
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
  const { error, isLate, code } = await startProgram({
    command,
    cwd: process.cwd(),
    env: given,
    input: `${json}\n`,
    isMute: true,
    limitMs: timeoutMs,
  }).ended;
  if (isLate === true) return `it took longer than ${timeoutMs / 1000} seconds`;
  return error ?? (code === 0 ? undefined : `exit code ${code ?? "none"}`);
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
