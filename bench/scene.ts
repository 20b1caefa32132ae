import { execFileSync, spawnSync } from "node:child_process";
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { dirname, join, resolve } from "node:path";
import hooks from "../plugins/ralph-specum/hooks/hooks.json" with { type: "json" };
import { specum } from "../test/support/editions.ts";
import { typeSlash } from "../test/support/ticket.ts";
import { editLastEntry, onFolder, vaultFile } from "../test/support/vault.ts";
import { type Case, cleanEnv, timeOf } from "./measure.ts";

const plugin = resolve("plugins/ralph-specum");
export const program = join(plugin, "dist/cli.cjs");
/** The command line that the client hands to its shell. */
export const hookCommand = hooks.hooks.Stop[0]?.hooks[0]?.command ?? "";

const SESSION = "bench";
const GIT = ["-c", "user.name=bench", "-c", "user.email=bench@localhost"];

export const taskList = (count: number, box = " "): string =>
  `# Tasks\n\n## Phase 1: Make it work\n\n${Array.from(
    { length: count },
    (_, i) =>
      `- [${box}] 1.${i + 1} Task ${i + 1}\n  - **Do**: the work\n  - **Files**: \`src/${i}.ts\`\n  - **Verify**: \`true\`\n`,
  ).join("")}`;

/** A project in git with one spec, with a run that our own program started. */
export interface Scene {
  readonly root: string;
  readonly spec: string;
  readonly home: string;
  path(name: string): string;
  read(name: string): string;
  write(name: string, text: string): void;
  /** The journal that counts, in the user's own folder. */
  readonly journal: string;
  /** Changes fields of the state, as one of our commands would. */
  setState(fields: object): void;
  /** Changes the loop's own record, as the last line of the journal has it. */
  setLoop(fields: object): void;
  /** As after its end: no state, and no mark in the user's folder. */
  endRun(): void;
  /** From now on `restore` brings back what is there. */
  keep(): void;
  restore(): void;
  /** A stop as the client makes it, with what is different about it. */
  stop(name: string, says: RegExp, event?: object): Case;
}

export function makeScene(home: string, name: string, tasks: string): Scene {
  const root = join(home, name);
  const spec = join(root, "specs/demo");
  mkdirSync(spec, { recursive: true });
  writeFileSync(join(root, "specs/.current-spec"), "demo\n");
  writeFileSync(join(spec, "tasks.md"), tasks);
  for (const args of [
    ["init", "--quiet"],
    [...GIT, "commit", "-qm", "start", "--allow-empty"],
  ])
    execFileSync("git", args, { cwd: root });
  begin(home, root);

  const journal = vaultFile(home, specum, spec, "journal");
  const marks = onFolder(home, specum, root);
  const places = [spec, dirname(journal), marks];
  const captureAll = (): readonly Snapshot[] => places.map(capture);
  const restoreAll = (): void => places.forEach((place, i) => restore(place, kept[i] as Snapshot));
  let kept = captureAll();
  const path = (file: string): string => join(spec, file);
  const read = (file: string): string => readFileSync(path(file), "utf8");
  const write = (file: string, text: string): void => writeFileSync(path(file), text);
  return {
    root,
    spec,
    home,
    path,
    read,
    write,
    journal,
    setState(fields) {
      const state = JSON.parse(read(specum.stateFile)) as object;
      write(specum.stateFile, JSON.stringify({ ...state, ...fields }, null, 2));
      editLastEntry(journal, (last) => ({ ...last, held: { ...last.held, ...fields } }));
    },
    setLoop(fields) {
      editLastEntry(journal, (last) => ({ ...last, loop: { ...last.loop, ...fields } }));
    },
    endRun() {
      rmSync(path(specum.stateFile));
      rmSync(marks, { recursive: true });
      editLastEntry(journal, (last) => ({ ...last, loop: { ...last.loop, open: false } }));
    },
    keep: () => void (kept = captureAll()),
    restore: restoreAll,
    stop: (title, says, event = {}) => ({
      name: title,
      file: "/bin/sh",
      args: ["-c", hookCommand],
      cwd: root,
      input: JSON.stringify({ ...stopEvent(root), ...event }),
      env: hookEnv(home, root),
      before: restoreAll,
      says,
    }),
  };
}

/** Types `implement`. Returns the prompt that it prints. */
export function begin(home: string, root: string): string {
  const words = typeSlash(home, SESSION, ["implement"]);
  const { status, stdout, stderr } = spawnSync(process.execPath, [program, ...words], {
    cwd: root,
    env: cleanEnv(home),
    encoding: "utf8",
  });
  if (status !== 0) throw new Error(`no run could be started: ${stderr}`);
  return stdout;
}

/** What a client of today sends; `undefined` takes a field away. */
const stopEvent = (root: string): object => ({
  session_id: SESSION,
  transcript_path: join(root, "transcript.jsonl"),
  cwd: root,
  prompt_id: "prompt",
  permission_mode: "default",
  hook_event_name: "Stop",
  stop_hook_active: false,
  last_assistant_message: "Reported.",
  background_tasks: [],
  session_crons: [],
});

export const hookEnv = (home: string, root: string): Record<string, string> => ({
  CLAUDE_PROJECT_DIR: root,
  CLAUDE_PLUGIN_ROOT: plugin,
});

/** Stops again and again until the next stop would get this answer. */
export function stopUntil(scene: Scene, says: RegExp): void {
  for (let i = 0; i < 10; i++) {
    scene.keep();
    try {
      timeOf(scene.stop("probe", says), scene.home);
      scene.restore();
      return;
    } catch {
      // Not yet: what this stop has written stays, and the next one is tried.
    }
  }
  throw new Error(`no stop was answered ${says}`);
}

/** Small files by their content; large ones only grow, so their size is enough. */
type Snapshot = ReadonlyMap<string, Buffer | number>;
const LARGE = 256 << 10;

const namesIn = (folder: string): string[] => (existsSync(folder) ? readdirSync(folder) : []);

function capture(folder: string): Snapshot {
  return new Map(
    namesIn(folder).map((name) => {
      const { size } = statSync(join(folder, name));
      return [name, size > LARGE ? size : readFileSync(join(folder, name))];
    }),
  );
}

function restore(folder: string, kept: Snapshot): void {
  for (const name of namesIn(folder)) if (!kept.has(name)) rmSync(join(folder, name));
  if (kept.size > 0) mkdirSync(folder, { recursive: true });
  for (const [name, was] of kept) {
    if (typeof was === "number") truncateSync(join(folder, name), was);
    else writeFileSync(join(folder, name), was);
  }
}
