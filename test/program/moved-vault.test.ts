import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  realpathSync,
  rmSync,
  symlinkSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { CLIENTS, type Variables } from "../support/client-marks.ts";
import { specum } from "../support/editions.ts";
import { vaultOf } from "../support/ticket.ts";
import { vaultFile } from "../support/vault.ts";
import { REPOSITORY, runChild } from "./child.ts";
import { runGate } from "./gate.ts";
import { makePlace, openPlace, type Place, SESSION, startPlace } from "./support.ts";
import { fillFolder, makeFolder } from "./temporary.ts";

const HOOK = join(REPOSITORY, "plugins/ralph-specum/dist/hook.cjs");
const TASKS = "- [ ] 1.1 First\n  - **Verify**: `touch ran`\n- [ ] 1.2 Second\n";
const LINE = "/ralph-specum:implement demo";

type Client = keyof typeof CLIENTS;

/** A hook as the client starts it: a process of its own, in this folder. */
function hook(
  place: Place,
  event: string,
  client: Client,
  more: Variables,
  cwd = place.root,
): string {
  const input = JSON.stringify({
    session_id: SESSION,
    cwd,
    transcript_path: null,
    prompt: LINE,
    submitted_prompt: LINE,
    last_assistant_message: "TASK_COMPLETE",
  });
  const words = [HOOK, "specum", event, ...(client === "claude" ? [] : [client])];
  const env = { ...place.env, ...CLIENTS[client].hook, ...more };
  return runChild(process.execPath, words, { cwd, env, input }).out;
}

/**
 * A clone that brings a run along, and the record of it that only this machine should have: beside the state, with a
 * link to it, or in a whole tree for whoever knows where the clone will be.
 */
function makeClone(shape: "link" | "tree"): Place {
  const theirs = startPlace(specum, { "specs/demo/tasks.md": TASKS });
  const home = makeFolder();
  const root = join(home, "clone");
  cpSync(theirs.root, root, { recursive: true });
  rmSync(join(root, "ran"));
  const folder = join(root, "specs/demo");
  const record = dirname(vaultFile(String(theirs.env["HOME"]), specum, theirs.folder, "agreement"));
  cpSync(record, folder, { recursive: true });
  runChild("git", ["init", "-q", root]);
  fillFolder(root, { "src/x": "", ".x/smart-ralph/": "" });
  const at = join(root, ".x/smart-ralph/at");
  if (shape === "link") symlinkSync("/", at);
  else cpSync(record, join(at, folder), { recursive: true });
  return openPlace(specum, root, folder, home);
}

function expectIdle(place: Place, more: Variables, cwd?: string): void {
  for (const client of ["qwen", "codex", "claude"] as const) {
    const said = hook(place, "stop", client, more, cwd);
    expect(said, client).not.toMatch(/Task 1\.|"block"/);
    expect(existsSync(join(place.root, "ran")), client).toBe(false);
  }
}

describe("a clone with a made-up record, and a .env that calls it the user's folder", () => {
  it
    .runIf(process.platform === "linux")
    .each([
      "/proc/self/cwd/.x",
      "//proc/self/cwd/.x",
      "/nothing/../proc/self/cwd/.x",
      "/proc/self/root/proc/self/cwd/.x",
    ])("is not continued, and nothing of it is run: %s", (path) => {
    expectIdle(makeClone("link"), { XDG_STATE_HOME: path });
    expectIdle(makeClone("tree"), { XDG_STATE_HOME: path });
  });

  it("nor by the folder's own path, also from a folder below, or by a link elsewhere", () => {
    const place = makeClone("tree");
    expectIdle(place, { XDG_STATE_HOME: join(place.root, ".x") });
    expectIdle(place, { XDG_STATE_HOME: join(place.root, ".x") }, join(place.root, "src"));
    const link = join(makeFolder(), "link");
    symlinkSync(join(place.root, ".x"), link);
    expectIdle(place, { XDG_STATE_HOME: link });
  });

  it("nor through a link in a folder that is not the project's", () => {
    const place = makeClone("link");
    const other = fillFolder(makeFolder(), { "smart-ralph/": "" });
    symlinkSync("/", join(other, "smart-ralph/at"));
    expectIdle(place, { XDG_STATE_HOME: other });
    rmSync(join(other, "smart-ralph/at"));
    const mirrored = join(other, "smart-ralph/at", place.root);
    mkdirSync(dirname(mirrored), { recursive: true });
    symlinkSync(place.root, mirrored);
    expectIdle(place, { XDG_STATE_HOME: other });
  });

  it("hides no run of the user's own, neither from the gate nor from the program", () => {
    const place = startPlace(specum, { ".x/": "", ".git/HEAD": "" });
    const env = { XDG_STATE_HOME: join(place.root, ".x") };
    expect(hook(place, "stop", "codex", env)).toMatch(/Task 1\.1/);
    rmSync(join(place.root, "specs"), { recursive: true });
    expect(runGate(place, { env }).out).toMatch(/demo/);
    expect(readdirSync(join(place.root, ".x"))).toEqual([]);
  });
});

describe("the user's own XDG_STATE_HOME counts", () => {
  const begin = (place: Place, state: string): void => {
    const env = { XDG_STATE_HOME: state };
    hook(place, "prompt", "codex", env);
    expect(hook(place, "stop", "codex", env)).toMatch(/"block".*Task 1\./);
    const at = join(state, "smart-ralph/at", realpathSync(place.folder));
    expect(readdirSync(at)).toContain(".specum-run.json");
  };

  it("elsewhere, also if it does not exist yet", () => {
    const place = makePlace(specum, { "specs/demo/tasks.md": TASKS, ".git/HEAD": "" });
    begin(place, join(makeFolder(), "made/later"));
    expect(existsSync(vaultOf(String(place.env["HOME"])))).toBe(false);
  });

  it("in a home that is the project itself", () => {
    const home = fillFolder(makeFolder(), { "specs/demo/tasks.md": TASKS, ".git/HEAD": "" });
    begin(openPlace(specum, home, join(home, "specs/demo"), home), join(home, "state"));
  });
});
