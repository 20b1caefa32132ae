import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { repoRoot } from "../../test/e2e/install.ts";
import { documents, SPEC } from "./documents.ts";
import { commitLine, SERVER, SERVER_TEST, workFor } from "./work.ts";

export const programPath = join(repoRoot, "bin", "smart-ralph.cjs");

/** The small project in the pictures, in its own home. */
export interface Stage {
  readonly home: string;
  readonly root: string;
  write(name: string, text: string): void;
  remove(): void;
}

export function makeStage(): Stage {
  const home = mkdtempSync(join(realpathSync(tmpdir()), "smart-ralph-record-"));
  const root = join(home, "orders-api");
  const write = (name: string, text: string): void => writeFileSync(join(root, name), text);
  mkdirSync(root);
  write("package.json", `{ "type": "module", "scripts": { "test": "node --test" } }\n`);
  write("server.mjs", SERVER);
  write("server.test.mjs", SERVER_TEST);
  const git = (...args: string[]): void =>
    void execFileSync("git", args, { cwd: root, env: gitEnv(home) });
  // What a user does first. Its files are theirs alone.
  execFileSync(process.execPath, [programPath, "init", "--yes"], {
    cwd: root,
    env: gitEnv(home),
    stdio: "ignore",
  });
  write(".gitignore", ".claude/*.local.*\n");
  git("init", "--quiet", "--initial-branch=main");
  git("config", "user.name", "You");
  git("config", "user.email", "you@localhost");
  git("add", ".");
  git("commit", "--quiet", "-m", "feat: list the orders");
  return {
    home,
    root,
    write,
    // The client's last writes to its home may still be on their way.
    remove: () => rmSync(home, { recursive: true, force: true, maxRetries: 9, retryDelay: 200 }),
  };
}

const gitEnv = (home: string): NodeJS.ProcessEnv => ({ PATH: process.env["PATH"], HOME: home });

/** Puts the documents of the story there, as if the phases had been gone through before. */
export function writeDocuments(stage: Stage): void {
  mkdirSync(join(stage.root, SPEC), { recursive: true });
  for (const [name, text] of Object.entries(documents)) stage.write(`${SPEC}/${name}`, text);
}

/** Does a task for real, as its executor would: the n-th try at it. */
export function play(stage: Stage, id: string, attempt = 1): void {
  for (const work of workFor(id, attempt)) {
    stage.write(work.file, work.text);
    execFileSync("sh", ["-c", commitLine(work)], { cwd: stage.root, env: gitEnv(stage.home) });
  }
}
