import { readdirSync, renameSync } from "node:fs";
import { join } from "node:path";
import { parseTicket, type Ticket } from "../run/ticket.ts";
import { faultIn, MAX_BYTES, readText, statOf, textAt } from "./read.ts";
import { encodeFileName, vaultFolder } from "./vault-place.ts";
import { removeFile, writePrivate } from "./write.ts";

const DAY_MS = 86_400_000;
const ECHO_MS = 60_000;
/** The program runs right after the prompt; in older clients, after one more call of the model. */
const FRESH_MS = 15 * 60_000;

const folderOf = (): string | undefined => vaultFolder("tickets");

const nameOf = (session: string): string => `${encodeFileName(session)}.json`;

/**
 * Keeps what the user typed in a session, before anything runs. One prompt leaves one ticket, however many events report
 * it: a ticket that was taken stays taken.
 */
export function leaveTicket(session: string, ticket: Ticket): void {
  const folder = folderOf();
  if (folder === undefined) return;
  faultIn(() => {
    const path = join(folder, nameOf(session));
    const taken = readTicket(`${path}.taken`);
    if (taken !== undefined && isSamePrompt(taken, ticket)) return;
    writePrivate(path, `${JSON.stringify(ticket)}\n`);
    removeOld(folder);
  });
}

/** Some clients give prompts an id; some of the others report a prompt before the command runs and again after it. */
function isSamePrompt(taken: Ticket, ticket: Ticket): boolean {
  if (taken.prompt !== undefined || ticket.prompt !== undefined)
    return taken.prompt === ticket.prompt;
  const isEcho = taken.from === "expansion" && ticket.from === "prompt";
  const apart = Date.parse(ticket.at) - Date.parse(taken.at);
  return (
    isEcho && taken.command === ticket.command && taken.args === ticket.args && apart < ECHO_MS
  );
}

/** Takes what the user has just typed, if it is one of these commands. It can be taken only once. */
export function takeTicket(
  session: string,
  commands: readonly string[],
  at: string,
): Ticket | undefined {
  const folder = folderOf();
  if (folder === undefined) return undefined;
  const path = join(folder, nameOf(session));
  const ticket = readTicket(path);
  if (ticket === undefined || !commands.includes(ticket.command)) return undefined;
  if (!(Math.abs(Date.parse(at) - Date.parse(ticket.at)) <= FRESH_MS)) return undefined;
  // Of two that try at the same time, one finds nothing to rename.
  const fault = faultIn(() => renameSync(path, `${path}.taken`));
  return fault === undefined ? ticket : undefined;
}

/** True the first time a session is to be told something; from then on false. */
export function announceOnce(session: string, what: string): boolean {
  const folder = folderOf();
  if (folder === undefined) return true;
  const path = join(folder, `${nameOf(session)}.told`);
  const told = (textAt(path, MAX_BYTES.settings) ?? "").split("\n");
  if (told.includes(what)) return false;
  faultIn(() => writePrivate(path, [...told.filter(Boolean), what, ""].join("\n")));
  return true;
}

/** How often this prompt has been continued, with this time. */
export function countContinuation(session: string, continuing: boolean): number {
  const folder = folderOf();
  if (folder === undefined) return 0;
  const path = join(folder, `${nameOf(session)}.count`);
  const before = continuing ? Number.parseInt(textAt(path, MAX_BYTES.settings) ?? "", 10) : 0;
  const count = Number.isSafeInteger(before) ? before + 1 : 1;
  faultIn(() => writePrivate(path, `${count}\n`));
  return count;
}

function readTicket(path: string): Ticket | undefined {
  // Users paste whole documents after a command.
  const file = readText(path, MAX_BYTES.document);
  return file.kind === "ok" ? parseTicket(file.text) : undefined;
}

function removeOld(folder: string): void {
  for (const name of readdirSync(folder)) {
    const stat = statOf(join(folder, name));
    if (stat !== undefined && Date.now() - stat.mtimeMs > DAY_MS) removeFile(join(folder, name));
  }
}
