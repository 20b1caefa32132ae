import {
  cpSync,
  existsSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { afterAll } from "vitest";
import { PATH, type Ran, REPOSITORY } from "../program/child.ts";
import { fillFolder } from "../program/temporary.ts";
import { specum } from "../support/editions.ts";
import { makeMemoryFolder } from "../support/places.ts";
import { GIT_ENV, openRepository, type Repository } from "../support/repository.ts";
import { typeSlash, vaultOf } from "../support/ticket.ts";
import { onFolder, readIfThere, type VAULT_FILES, vaultFile } from "../support/vault.ts";
import type { Around } from "./calls.ts";
import { Clock, runInside } from "./inside.ts";

export const SESSION = "session-1";
export const TASKS = `# Tasks

- [ ] 1.1 First
  - **Files**: \`a.txt\`
  - **Verify**: \`true\`
- [ ] 1.2 [P] Second
  - **Files**: \`b.txt\`
- [ ] 1.3 [P] Third
  - **Files**: \`c.txt\`
- [ ] 1.4 [VERIFY] Check them
`;

export const DIST = join(REPOSITORY, "plugins/ralph-specum/dist");
const layout = specum;
let count = 0;

/** A project on disk that can be copied, and the built program, run in it within this process. */
export class Stage {
  readonly home: string;
  readonly root: string;
  readonly folder: string;
  readonly clock = new Clock();

  constructor(home: string) {
    this.home = home;
    this.root = join(home, "project");
    this.folder = join(this.root, "specs/demo");
  }

  static make(base: string, files: Readonly<Record<string, string>> = {}): Stage {
    const stage = new Stage(join(base, `stage-${++count}`));
    fillFolder(stage.root, { "specs/demo/tasks.md": TASKS, ...files });
    return stage;
  }

  copy(base: string): Stage {
    const stage = new Stage(join(base, `stage-${++count}`));
    // Times are kept: git and the age of leftovers go by them.
    cpSync(this.home, stage.home, {
      recursive: true,
      preserveTimestamps: true,
      verbatimSymlinks: true,
    });
    stage.moveVault(this);
    return stage;
  }

  /** What the user's own folder holds goes by the whole path of a project, and this is another one. */
  private moveVault(from: Stage): void {
    const at = (home: string): string => join(vaultOf(this.home), "at", home);
    if (!existsSync(at(from.home))) return;
    renameSync(at(from.home), at(this.home));
    const on = onFolder(this.home, layout, this.root);
    for (const name of existsSync(on) ? readdirSync(on) : []) {
      const mark = readFileSync(join(on, name), "utf8");
      writeFileSync(join(on, name), mark.replace(from.home, this.home));
    }
  }

  remove(): void {
    rmSync(this.home, { recursive: true, force: true });
  }

  repository(): Repository {
    return openRepository(this.root, this.home);
  }

  get env(): Record<string, string> {
    // Outside a repository git has nothing to say; not to find it is quicker than to ask it.
    const path = existsSync(join(this.root, ".git")) ? PATH : "/nonexistent";
    return { PATH: path, HOME: this.home, CLAUDE_CODE_SESSION_ID: SESSION, ...GIT_ENV };
  }

  command(args: readonly string[], around?: Around, input = ""): Promise<Ran> {
    return runInside(join(DIST, "cli-body.cjs"), ["--layout=specum", ...args], {
      cwd: this.root,
      env: this.env,
      input,
      clock: this.clock,
      around,
    });
  }

  /** The client's hook leaves the ticket, then the command file runs. */
  slash(args: readonly string[], around?: Around): Promise<Ran> {
    return this.command(
      typeSlash(this.home, SESSION, args, new Date(this.clock.now()).toISOString()),
      around,
    );
  }

  hook(event: string, fields: object = {}, around?: Around): Promise<Ran> {
    return runInside(join(DIST, "hook-body.cjs"), ["specum", event], {
      cwd: this.root,
      env: this.env,
      input: this.inputOf(fields),
      clock: this.clock,
      around,
    });
  }

  inputOf(fields: object): string {
    const usual = { session_id: SESSION, cwd: this.root, last_assistant_message: "Done." };
    return JSON.stringify({ ...usual, ...fields });
  }

  path = (name: string): string => join(this.folder, name);

  read(name: string): string | undefined {
    const path = this.path(name);
    return existsSync(path) ? readFileSync(path, "utf8") : undefined;
  }

  write(name: string, text: string): void {
    writeFileSync(this.path(name), text);
  }

  get tasks(): string {
    return this.read("tasks.md") ?? "";
  }

  get state(): string | undefined {
    return this.read(layout.stateFile);
  }

  /** The copy for people. */
  get journal(): string {
    return this.read(layout.journalFile) ?? "";
  }

  /** What the user's own folder has of a spec: what of it counts is there. */
  kept(file: keyof typeof VAULT_FILES, spec = "demo"): string | undefined {
    return readIfThere(vaultFile(this.home, layout, join(this.root, "specs", spec), file));
  }

  /** Every file in the user's own folder, by its path from there. */
  keptNames(): string[] {
    const vault = vaultOf(this.home);
    return existsSync(vault)
      ? readdirSync(vault, { recursive: true, withFileTypes: true })
          .filter((entry) => entry.isFile())
          .map((entry) => join(entry.parentPath, entry.name).slice(vault.length + 1))
      : [];
  }

  names(): string[] {
    return existsSync(this.folder) ? readdirSync(this.folder).sort() : [];
  }
}

/** Where a test file makes its stages, thousands of them. Removed after it. */
export function makeBase(): string {
  const base = makeMemoryFolder();
  afterAll(() => rmSync(base, { recursive: true, force: true }));
  return base;
}
