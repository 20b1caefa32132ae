import { readdir, stat } from "node:fs/promises";
import { join } from "node:path";
import { installOnce } from "../support/download.ts";
import { isFull } from "../support/full.ts";

export { repoRoot } from "../support/download.ts";

/**
 * The clients that the end-to-end tests run, pinned here and nowhere else. `OLDEST` is the first that puts a plugin's
 * `bin` on the path of its commands, without which none of our commands is found. `OLD` is the first that comes as a
 * native binary. Both run sub-agents in the foreground, list no background tasks at a stop, and give the commands they
 * run no session id in their environment.
 */
export const CURRENT = "2.1.325";
export const MIDDLE = "2.1.200";
export const OLD = "2.1.113";
export const OLDEST = "2.1.91";
export const CLIENTS = [OLDEST, OLD, MIDDLE, CURRENT] as const;
/** The two that differ most, where a test is about what they tell us. */
export const NEW_AND_OLD = isFull ? [CURRENT, OLD] : [CURRENT];
/** Old ones change no more: a full run will do for them. */
export const TRIED: readonly string[] = isFull ? CLIENTS : [CURRENT];

/** In a terminal, newer clients run every agent in the background; this makes them do so without one. */
export const IN_BACKGROUND = { CLAUDE_CODE_FORK_SUBAGENT: "1" };
/** And this makes them do as they are told in a terminal. */
export const IN_FOREGROUND = { CLAUDE_CODE_FORK_SUBAGENT: "0" };

/** The client's program, downloaded once into the git-ignored cache. */
export const installClient = (version: string): Promise<string> =>
  installOnce({
    what: `Claude Code ${version}`,
    folder: version,
    package: `@anthropic-ai/claude-code@${version}`,
    find: findProgram,
  });

/**
 * npm picks the platform's own package (also the C library's kind); take whichever it chose. Versions before `OLD`
 * are a script for node.
 */
export async function findProgram(home: string): Promise<string | undefined> {
  const scope = join(home, "node_modules", "@anthropic-ai");
  const packages = await readdir(scope).catch(() => []);
  const platform = `claude-code-${process.platform}-${process.arch}`;
  const places = packages.flatMap((name) =>
    name.startsWith(platform) ? [join(name, "claude"), join(name, "claude.exe")] : [],
  );
  places.push(join("claude-code", "cli.js"));
  for (const place of places) if (await isFile(join(scope, place))) return join(scope, place);
  return undefined;
}

const isFile = (path: string): Promise<boolean> =>
  stat(path).then(
    (found) => found.isFile(),
    () => false,
  );
