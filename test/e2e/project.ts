import { execFileSync } from "node:child_process";
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { repoRoot } from "./install.ts";

/**
 * What users find on disk and type, written down a second time on purpose: these tests see the product
 * from outside, so renaming a file in `src` must fail here.
 */
export const layouts = [
  {
    id: "specum",
    plugin: "ralph-specum",
    pointer: "specs/.current-spec",
    specs: "specs",
    stateFile: ".ralph-state.json",
    journalFile: ".ralph-journal.jsonl",
    opening: "Continue spec: demo",
    taskId: (index: number) => `${1 + Math.floor(index / 10)}.${1 + (index % 10)}`,
  },
  {
    id: "speckit",
    plugin: "ralph-speckit",
    pointer: ".specify/.current-feature",
    specs: ".specify/specs",
    stateFile: ".speckit-state.json",
    journalFile: ".speckit-journal.jsonl",
    opening: "Continue feature: demo",
    taskId: (index: number) => `T${String(index + 1).padStart(3, "0")}`,
  },
] as const;

export type Layout = (typeof layouts)[number];

const SPEC = "demo";
const PROGRESS = "# Progress\n\nkept whatever happens\n";

/** A project of a test's own in a temporary folder, with one spec, and a home beside it. */
export interface Project {
  readonly layout: Layout;
  readonly root: string;
  readonly home: string;
  readonly ids: readonly string[];
  /** Relative to the root. */
  readonly tasksFile: string;
  /** `/ralph-specum:implement demo`, as the user types it. */
  slash(command: string): string;
  path(relative: string): string;
  read(relative: string): string;
  write(relative: string, text: string): void;
  /** Ids of the unchecked tasks, in order. */
  open(): string[];
  state(): Record<string, unknown> | undefined;
  writeState(text: string): void;
  journal(): Record<string, unknown>[];
  progress(): string;
  /** Runs the plugin's program from a terminal beside the client. */
  program(...args: string[]): string;
  remove(): void;
}

export function makeProject(
  layout: Layout,
  count: number,
  tasks: (ids: readonly string[]) => string = tasksText,
): Project {
  // The real path: the client resolves links, and assertions compare paths.
  const base = mkdtempSync(join(realpathSync(tmpdir()), "ralph-e2e-"));
  const root = join(base, "project");
  const home = join(base, "home");
  mkdirSync(home);
  const folder = `${layout.specs}/${SPEC}`;
  const ids = Array.from({ length: count }, (_, index) => layout.taskId(index));
  const path = (relative: string): string => join(root, relative);
  const read = (relative: string): string => readFileSync(path(relative), "utf8");
  const write = (relative: string, text: string): void => {
    mkdirSync(dirname(path(relative)), { recursive: true });
    writeFileSync(path(relative), text);
  };
  const tasksFile = `${folder}/tasks.md`;
  write(layout.pointer, `${SPEC}\n`);
  write(tasksFile, tasks(ids));
  write(`${folder}/.progress.md`, PROGRESS);
  write("sub/README.md", "a subdirectory\n");
  const git = (...args: string[]): void => void execFileSync("git", args, { cwd: root });
  git("init", "--quiet");
  git("add", ".");
  git("-c", "user.name=e2e", "-c", "user.email=e2e@localhost", "commit", "--quiet", "-m", "start");

  return {
    layout,
    root,
    home,
    ids,
    tasksFile,
    path,
    read,
    write,
    slash: (command) => `/${layout.plugin}:${command}`,
    open: () =>
      read(tasksFile)
        .split("\n")
        .flatMap((line) => /^- \[ \] (\S+)/.exec(line)?.[1] ?? []),
    state() {
      const file = `${folder}/${layout.stateFile}`;
      return existsSync(path(file)) ? JSON.parse(read(file)) : undefined;
    },
    writeState: (text) => write(`${folder}/${layout.stateFile}`, text),
    journal: () =>
      read(`${folder}/${layout.journalFile}`)
        .trim()
        .split("\n")
        .map((line) => JSON.parse(line)),
    progress: () => read(`${folder}/.progress.md`),
    program: (...args) =>
      execFileSync(join(pluginDir(layout), "bin", layout.plugin), args, {
        cwd: root,
        encoding: "utf8",
        env: { PATH: process.env["PATH"], HOME: home },
      }),
    // The client's last writes to its home may still be on their way.
    remove: () => rmSync(base, { recursive: true, force: true, maxRetries: 5, retryDelay: 50 }),
  };
}

export const pluginDir = (layout: Layout): string => join(repoRoot, "plugins", layout.plugin);
export const keptProgress = PROGRESS;

/** Ten tasks a phase, each with its own text, so that a lost or repeated one can be told. */
function tasksText(ids: readonly string[]): string {
  const lines = ["# Tasks", ""];
  for (const [index, id] of ids.entries()) {
    if (index % 10 === 0) lines.push(`## Phase ${1 + index / 10}: Part ${1 + index / 10}`, "");
    lines.push(`- [ ] ${id} Write part ${id}`, `  - **Do**: write part ${id}`, "");
  }
  return lines.join("\n");
}
