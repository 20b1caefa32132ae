import { findMark } from "../../agents/process/processes.ts";
import { agentReturned } from "../../engine/agent-return.ts";
import * as engine from "../../engine/delegate.ts";
import { pauseAfterEsc, resumeAfterEsc } from "../../engine/interruption.ts";
import { readNow } from "../../engine/now.ts";
import { readOutlook } from "../../engine/outlook.ts";
import { ownSpec, runningLoop } from "../../engine/whose-run.ts";
import { describeOutlook } from "../../facts/outlook.ts";
import { findAgentMark } from "../../hosts/all.ts";
import { findOwnClient } from "../../hosts/client-process.ts";
import type { Environment, Host, HostPrompt } from "../../hosts/host.ts";
import type { Edition } from "../../layouts/layout.ts";
import {
  renderDenial,
  renderInterjection,
  renderInterrupted,
  renderRefused,
} from "../../prompts/render.ts";
import { planHandOut } from "../../run/hand-out.ts";
import { currentLoop } from "../../run/loop.ts";
import { isWaiting } from "../../run/state.ts";
import { parseSlash, type Ticket } from "../../run/ticket.ts";
import * as say from "../../run/user-messages.ts";
import { noteClient } from "../../store/clients.ts";
import { readDisk, readGlance } from "../../store/spec-files.ts";
import type { Spec } from "../../store/spec.ts";
import { leaveTicket } from "../../store/tickets.ts";
import { oneLine } from "../../text/template.ts";
import { MAX_LINE, notice } from "./event.ts";
import { portsOf } from "./stop.ts";
import { runTyped } from "./typed-command.ts";

/** The user types while the loop is on: they see that it is, and how to pause it. */
export function prompt(layout: Edition, host: Host, input: unknown, env: Environment): string {
  const spoken = hear(host, input, env);
  if (spoken === undefined) return tellMark(layout, host, input, env);
  // An agent can schedule a prompt; if the client reports commands, only those come from the user.
  const typed = spoken.tellsCommands ? undefined : noteTyped(layout, host, spoken, "prompt", env);
  if (typed !== undefined && host.commandsByHook) {
    const context = runTyped(layout, host, spoken.sessionId ?? "", typed, env);
    const line = typed.command === "implement" ? tellBegun(layout, spoken) : undefined;
    return notice(host, "prompt", line, context);
  }
  if (spoken.isNotification)
    return stayInterrupted(layout, host, spoken) || wake(layout, host, input, env);
  if (!spoken.typed || host.wire.formatNotice === undefined) return "";
  const spec = ownSpec(layout, spoken);
  if (spec === undefined) return "";
  resumeAfterEsc(spec, spoken.sessionId, readNow());
  const disk = readDisk(spec);
  const loop = runningLoop(disk, spoken.sessionId, readNow());
  if (loop === undefined || disk.state.kind !== "ok") return "";
  // The session may go on in another process than the one in which the run began.
  noteOwnClient();
  const list = disk.tasks.kind === "ok" ? disk.tasks.list : undefined;
  const brief = planHandOut(disk.spec, list, disk.state.state, loop);
  return notice(host, "prompt", say.loopIsOn(disk, brief), renderInterjection(layout, brief));
}

/** The user has begun a run. */
function tellBegun(layout: Edition, spoken: HostPrompt): string | undefined {
  const spec = ownSpec(layout, spoken);
  const loop = spec && runningLoop(readGlance(spec), spoken.sessionId, readNow());
  return spec && loop && tellOutlook(layout, spec);
}

/** What can be proven, for the user, before the work starts. */
function tellOutlook({ voice }: Edition, spec: Spec): string | undefined {
  const outlook = readOutlook(spec);
  return outlook && oneLine(`${voice.brand}: ${describeOutlook(outlook)}`, MAX_LINE);
}

/** In a client that an agent started, only the client's own notifications are what they seem. */
function hear(host: Host, input: unknown, env: Environment): HostPrompt | undefined {
  const spoken = host.wire.parsePrompt?.(input, env);
  return spoken?.isNotification || findAgentMark(host, env) === undefined ? spoken : undefined;
}

/** Whether others than the user may have put the words there. */
const isOthers = ({ transcript, readForeign }: Host, spoken: HostPrompt): boolean =>
  readForeign?.(spoken) === true ||
  (spoken.transcript !== undefined && transcript.readQueued?.(spoken.transcript) === true);

/**
 * After Escape the client still wakes the agent when another agent ends in the background, and would go on with the
 * loop. The user wanted it to stop: the run is paused until they type.
 */
function stayInterrupted(layout: Edition, host: Host, told: HostPrompt): string {
  const { transcript, sessionId } = told;
  const spec = transcript === undefined ? undefined : ownSpec(layout, told);
  if (spec === undefined || !host.transcript.readInterrupted(transcript ?? "")) return "";
  if (!pauseAfterEsc(spec, sessionId, readNow())) return "";
  return notice(host, "prompt", say.interrupted(layout), renderInterrupted(layout, spec));
}

/** The user has pressed Escape, and the client says so at once: `status` shows it elsewhere too. */
export function interrupt(layout: Edition, host: Host, input: unknown, env: Environment): string {
  const where = host.wire.parseInterruption?.(input, env);
  const spec = where === undefined ? undefined : ownSpec(layout, where);
  if (spec === undefined || !pauseAfterEsc(spec, where?.sessionId ?? null, readNow())) return "";
  return notice(host, "prompt", say.interrupted(layout));
}

/** An agent that worked in the background has ended: as if it had given its result in the foreground. */
function wake(layout: Edition, host: Host, input: unknown, env: Environment): string {
  const ended = host.wire.parseNotification?.(input, env) ?? [];
  const spec = ended[0] === undefined ? undefined : ownSpec(layout, ended[0]);
  if (spec === undefined) return "";
  const ports = portsOf(layout, host, input, env);
  const told = ended.map((one) => agentReturned(layout, spec, one, ports));
  const line = told.flatMap(({ say: said }) => said ?? []).join(" · ");
  const context = told.findLast((one) => one.context !== undefined)?.context;
  return notice(host, "prompt", line === "" ? undefined : line, context);
}

/** The client is about to run a command file that the user typed: the words after it are kept for the program. */
export function expansion(layout: Edition, host: Host, input: unknown, env: Environment): string {
  const spoken = hear(host, input, env);
  if (spoken === undefined) return tellMark(layout, host, input, env);
  const typed = noteTyped(layout, host, spoken, "expansion", env);
  if (typed === undefined || findMark(env) === undefined) return "";
  return notice(host, "prompt", say.marked(layout));
}

/** A command of ours where an agent seems to have started the client. It may be the user's, who has to know why. */
function tellMark(layout: Edition, host: Host, input: unknown, env: Environment): string {
  const mark = findAgentMark(host, env);
  const spoken = mark === undefined ? undefined : host.wire.parsePrompt?.(input, env);
  if (mark === undefined || parseSlash(layout.plugin, spoken?.text ?? "") === undefined) return "";
  const line = oneLine(say.marked(layout, mark), MAX_LINE);
  // A client whose commands are ours to run may show the user no line of a hook: there the model says it.
  return host.commandsByHook
    ? notice(host, "prompt", undefined, renderRefused(line))
    : notice(host, "prompt", line);
}

function noteTyped(
  { plugin }: Edition,
  host: Host,
  spoken: HostPrompt,
  from: Ticket["from"],
  env: Environment,
): Pick<Ticket, "command" | "args"> | undefined {
  const { sessionId, text, promptId } = spoken;
  const slashed = sessionId === null ? undefined : parseSlash(plugin, text);
  if (sessionId === null || slashed === undefined || isOthers(host, spoken)) return undefined;
  const told = promptId === undefined ? {} : { prompt: promptId };
  noteOwnClient();
  // Nobody types where we have started the client. The program says so if the user does after all.
  if (findMark(env) === undefined)
    leaveTicket(sessionId, { ...slashed, ...told, from, at: readNow().at });
  return slashed;
}

/** So that nothing below this client passes for its user. */
function noteOwnClient(): void {
  const client = findOwnClient();
  if (client !== undefined) noteClient(client.pid, client.began);
}

/** The coordinator starts an agent: its orders are written here. */
export function delegate(layout: Edition, host: Host, input: unknown, env: Environment): string {
  const asked = host.wire.parseDelegation?.(input, env);
  const spec = asked === undefined ? undefined : ownSpec(layout, asked);
  if (asked === undefined || spec === undefined) return "";
  const sent = engine.delegate(spec, asked, readNow());
  if (sent.kind === "denied") return host.wire.formatDenial?.(sent.reason) ?? "";
  if (sent.kind === "pass") return "";
  // A client that runs command files itself has no event after them.
  const line = sent.isFirst ? tellOutlook(layout, spec) : undefined;
  return host.wire.formatOrders?.(input, sent.agent, sent.orders, line) ?? "";
}

/** In quick mode nobody is there to answer: the agent decides, and writes down its assumptions. */
export function question(layout: Edition, host: Host, input: unknown, env: Environment): string {
  const asked = host.wire.parseQuestion?.(input, env);
  const spec = asked === undefined ? undefined : ownSpec(layout, asked);
  if (spec === undefined || host.wire.formatDenial === undefined) return "";
  const disk = readGlance(spec);
  if (disk.state.kind !== "ok") return "";
  const { state } = disk.state;
  if (state.quickMode !== true || isWaiting(state)) return "";
  const { session, told } = currentLoop(state, disk.last, readNow());
  if (told !== null || session !== asked?.sessionId) return "";
  return host.wire.formatDenial(renderDenial(layout, spec));
}
