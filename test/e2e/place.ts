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
import { fewOf } from "../support/full.ts";
import { endProcessesIn } from "../support/processes.ts";
import { repoRoot } from "./install.ts";

/**
 * What users find on disk and type, written down a second time on purpose: these tests see the product
 * from outside, so renaming a file in `src` must fail here.
 */
export const layouts = [
  {
    id: "specum",
    plugin: "ralph-specum",
    unit: "spec",
    pointer: "specs/.current-spec",
    specs: "specs",
    stateFile: ".ralph-state.json",
    journalFile: ".ralph-journal.jsonl",
    opening: "Continue spec: demo",
    taskId: (index: number) => `${1 + Math.floor(index / 10)}.${1 + (index % 10)}`,
    phases: ["research", "requirements", "design", "tasks"],
    documents: ["research.md", "requirements.md", "design.md", "tasks.md"],
  },
  {
    id: "speckit",
    plugin: "ralph-speckit",
    unit: "feature",
    pointer: ".specify/.current-feature",
    specs: ".specify/specs",
    stateFile: ".speckit-state.json",
    journalFile: ".speckit-journal.jsonl",
    opening: "Continue feature: demo",
    taskId: (index: number) => `T${String(index + 1).padStart(3, "0")}`,
    phases: ["specify", "plan", "tasks"],
    documents: ["spec.md", "plan.md", "tasks.md"],
  },
] as const;

/** Shares all code with the others, and has its own test: every run in a real client costs seconds. */
export const openspec = {
  id: "openspec",
  plugin: "ralph-openspec",
  unit: "change",
  pointer: "openspec/.current-change",
  specs: "openspec/changes",
  stateFile: ".ralph-change-state.json",
  journalFile: ".ralph-change-journal.jsonl",
  opening: "Continue change: demo",
  taskId: (index: number) => `${1 + Math.floor(index / 10)}.${1 + (index % 10)}`,
  phases: ["proposal", "specs", "design", "tasks"],
  documents: ["proposal.md", "specs/", "design.md", "tasks.md"],
} as const;

/** For what the layouts share to the last line, and the contract's data shows for both: a real client costs seconds. */
export const oneLayout = layouts.slice(0, 1);

/** For what the contract shows for both, and only a full run tries with both in a real client. */
export const fewLayouts = fewOf(layouts);

export type Layout = (typeof layouts)[number] | typeof openspec;
export const [specum, speckit] = layouts;

/** A test's own git repository in a temporary folder, and a home next to it. */
export interface Place {
  readonly layout: Layout;
  readonly root: string;
  readonly home: string;
  /** `/ralph-specum:implement demo`, as the user types it. */
  slash(command: string): string;
  path(relative: string): string;
  has(relative: string): boolean;
  read(relative: string): string;
  write(relative: string, text: string): void;
  git(...args: string[]): string;
  /** Runs the plugin's program outside the client, as a script would. */
  program(...args: string[]): string;
  /** The same as a person does it, at a terminal. */
  terminal(...args: string[]): string;
  remove(): Promise<void>;
}

/** What a spec's folder holds. */
export interface SpecFiles {
  /** Relative to the root, as everything here. */
  readonly tasksFile: string;
  /** Ids of the unchecked tasks, in order. */
  open(): string[];
  state(): Record<string, unknown> | undefined;
  writeState(text: string): void;
  journal(): Record<string, unknown>[];
  progress(): string;
}

export function makePlace(layout: Layout, files: Readonly<Record<string, string>>): Place {
  // The real path: the client resolves links, and assertions compare paths.
  const base = mkdtempSync(join(realpathSync(tmpdir()), "ralph-e2e-"));
  const root = join(base, "project");
  const home = join(base, "home");
  mkdirSync(home);
  const path = (relative: string): string => join(root, relative);
  const write = (relative: string, text: string): void => {
    mkdirSync(dirname(path(relative)), { recursive: true });
    writeFileSync(path(relative), text);
  };
  for (const [name, text] of Object.entries({ "sub/README.md": "a subdirectory\n", ...files })) {
    write(name, text);
  }
  const git = (...args: string[]): string =>
    execFileSync("git", args, { cwd: root, encoding: "utf8" });
  const program = join(pluginDir(layout), "bin", layout.plugin);
  const beside = {
    cwd: root,
    encoding: "utf8" as const,
    env: { PATH: process.env["PATH"], HOME: home },
  };
  git("init", "--quiet");
  git("config", "user.name", "e2e");
  git("config", "user.email", "e2e@localhost");
  git("add", ".");
  git("commit", "--quiet", "-m", "start");
  return {
    layout,
    root,
    home,
    path,
    write,
    git,
    slash: (command) => `/${layout.plugin}:${command}`,
    has: (relative) => existsSync(path(relative)),
    read: (relative) => readFileSync(path(relative), "utf8"),
    program: (...args) => execFileSync(program, args, beside),
    // util-linux's program gives what it starts its own terminal.
    terminal: (...args) =>
      execFileSync("script", ["-qec", [program, ...args].join(" "), "/dev/null"], beside),
    // The last writes of a client that was killed, and of what it started, may still be on their way.
    async remove() {
      await endProcessesIn(base);
      rmSync(base, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 });
    },
  };
}

export function specFiles({ layout, has, read, write }: Place, folder: string): SpecFiles {
  const tasksFile = `${folder}/tasks.md`;
  const stateFile = `${folder}/${layout.stateFile}`;
  return {
    tasksFile,
    open: () =>
      read(tasksFile)
        .split("\n")
        .flatMap((line) => /^- \[ \] (\S+)/.exec(line)?.[1] ?? []),
    state: () => (has(stateFile) ? JSON.parse(read(stateFile)) : undefined),
    writeState: (text) => write(stateFile, text),
    journal: () =>
      read(`${folder}/${layout.journalFile}`)
        .trim()
        .split("\n")
        .map((line) => JSON.parse(line)),
    progress: () => read(`${folder}/.progress.md`),
  };
}

export const pluginDir = (layout: Layout): string => join(repoRoot, "plugins", layout.plugin);
