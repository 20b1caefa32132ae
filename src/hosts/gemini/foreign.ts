import { type Dirent, readdirSync } from "node:fs";
import { dirname, join } from "node:path";
import { listOf, textOf } from "../../agents/json.ts";
import { readText } from "../../store/read.ts";
import type { HostPrompt } from "../host.ts";

const MAX_FILES = 500;
const MAX_FILE_BYTES = 256 << 10;
const MAX_LOG_BYTES = 16 << 20;

/**
 * The client fills in a command file before it asks a hook, so `/review` of a repository can come out as a command of
 * ours. Where the repository has a file that could do that, only the client's list of typed lines can tell. It has
 * those of a terminal; headless, the words are not taken for the user's.
 */
export function readForeign(spoken: HostPrompt): boolean {
  const folders = new Set([spoken.cwd, spoken.projectFolder ?? spoken.cwd]);
  if (![...folders].some((folder) => readDoubtful(join(folder, ".gemini", "commands"))))
    return false;
  const typed = readLastTyped(spoken);
  return typed === undefined || oneSpaced(typed) !== oneSpaced(spoken.text);
}

/** More than we look at, and links, which the client follows, count as doubtful. */
function readDoubtful(top: string): boolean {
  const folders = [top];
  let seen = 0;
  for (const folder of folders)
    for (const entry of readFolder(folder)) {
      const path = join(folder, entry.name);
      if (++seen > MAX_FILES || entry.isSymbolicLink()) return true;
      if (entry.isDirectory()) folders.push(path);
      else if (/\.toml$/i.test(entry.name) && readDoubtfulFile(path)) return true;
    }
  return false;
}

/** What we cannot list, the client cannot either. */
function readFolder(folder: string): Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch {
    return [];
  }
}

function readDoubtfulFile(path: string): boolean {
  const file = readText(path, MAX_FILE_BYTES);
  return file.kind !== "ok" || isDoubtful(file.text);
}

/** Every place that may be the beginning of the command's text, quoted in any of the ways that TOML has. */
const PROMPT = /(?:^|\n)[ \t]*["']?prompt["']?[ \t]*=[ \t]*(?:"""|'''|"|')/g;

/** A command of ours, an escape, what the client fills in from a file or a shell, and what it puts before a prompt. */
const BEGINS = /^\s*(?:[/\\<]|[@!]\{|$)/;

/** Whether the client might make a line of it that begins with a slash. A key can be escaped too. */
export function isDoubtful(toml: string): boolean {
  // Empty unless the user types something there.
  const filled = toml.replaceAll("{{args}}", "").replaceAll("\r", "");
  const starts = [...filled.matchAll(PROMPT)].map(({ 0: key, index }) => index + key.length);
  return (
    starts.length === 0 ||
    /\\u/i.test(filled) ||
    starts.some((start) => BEGINS.test(filled.slice(start)))
  );
}

/** The client writes it before it looks for a command file. */
function readLastTyped({ transcript, sessionId }: HostPrompt): string | undefined {
  if (transcript === undefined) return undefined;
  const log = readText(join(dirname(dirname(transcript)), "logs.json"), MAX_LOG_BYTES);
  if (log.kind !== "ok") return undefined;
  try {
    const last = listOf(JSON.parse(log.text)).findLast(
      (entry) => entry["sessionId"] === sessionId && entry["type"] === "user",
    );
    return textOf(last?.["message"]);
  } catch {
    return undefined;
  }
}

const oneSpaced = (line: string): string => line.trim().replaceAll(/\s+/g, " ");
