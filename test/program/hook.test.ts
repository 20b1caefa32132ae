import { execFileSync } from "node:child_process";
import {
  chmodSync,
  cpSync,
  readdirSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { layouts, specum } from "../support/editions.ts";
import { REPOSITORY, runChild } from "./child.ts";
import { expectRefusal, SESSION, startPlace } from "./support.ts";
import { fillFolder } from "./temporary.ts";

const SILENT = { code: 0, out: "", err: "" };

describe.each(layouts)("the hook of $plugin stops silently", (layout) => {
  const running = startPlace(layout);
  const entries = running.entries().length;

  it.each(["stop-failure", "session-end", "prompt"])("for nothing and nonsense at %s", (event) => {
    for (const input of ["", "not json", "{}"]) expect(running.hook(event, input)).toEqual(SILENT);
    expect(running.entries()).toHaveLength(entries);
  });

  it("for 40 MB on standard input", () => {
    const fields = { session_id: SESSION, cwd: running.root, padding: "x".repeat(40 << 20) };
    expect(running.hook("stop", JSON.stringify(fields))).toEqual(SILENT);
  });

  it("for an event or a layout that it does not know", () => {
    expect(running.hook("nonsense")).toEqual(SILENT);
    expect(running.hook("")).toEqual(SILENT);
    const hook = join(REPOSITORY, "plugins", layout.plugin, "dist/hook.cjs");
    expect(runChild(process.execPath, [hook, "other", "stop"], { input: "{}" })).toEqual(SILENT);
  });

  it("where the settings say that it is disabled, at every event, but for a run that this ends", () => {
    const place = startPlace(layout);
    fillFolder(place.root, { [layout.settingsFile]: "---\nenabled: false\n---\n" });
    expectRefusal(place.slash(["implement"]), 1, "is disabled", "enabled: true");
    // Somebody may have switched it off in the middle of the run: its user hears so, once.
    expect(place.stop()).toEqual({
      systemMessage: expect.stringMatching(
        /the run of demo stopped before it was finished: \S+ switches \S+ off/,
      ) as string,
    });
    expect(place.hook("stop")).toEqual(SILENT);
    expect(place.hook("prompt", { prompt: "hello" })).toEqual(SILENT);
  });
});

describe.each(layouts)("the hook of $plugin answers", (layout) => {
  it("when the user speaks while the loop is on, and not when a command is typed", () => {
    const place = startPlace(layout);
    const { code, out } = place.hook("prompt", { prompt: "what is this?" });
    expect(code).toBe(0);
    expect(JSON.parse(out)).toMatchObject({
      systemMessage: expect.stringContaining(
        `Esc, then /${layout.plugin}:pause, pauses it`,
      ) as string,
      hookSpecificOutput: { hookEventName: "UserPromptSubmit" },
    });
    expect(place.hook("prompt", { prompt: "/help" })).toEqual(SILENT);
    expect(place.hook("prompt", { prompt: "hi", session_id: "other" })).toEqual(SILENT);
    place.run(["pause"]);
    expect(place.hook("prompt", { prompt: "hi" })).toEqual(SILENT);
  });
});

describe("a state", () => {
  it.each<[what: string, make: (path: string) => void]>([
    ["a FIFO", (path) => void execFileSync("mkfifo", [path])],
    ["2 MB", (path) => writeFileSync(path, " ".repeat(2 << 20))],
  ])("that is %s is reported once", (_, make) => {
    const place = startPlace(specum);
    const state = join(place.folder, ".ralph-state.json");
    rmSync(state);
    make(state);
    const { decision, reason } = place.stop({ stop_hook_active: true });
    expect(decision).toBe("block");
    expect(reason).toMatch(
      /^ERROR: Corrupt state file at \.\/specs\/demo\/\.ralph-state\.json\n\nIt cannot be used: it is .*\.\n/,
    );
    expect(reason).toContain("/ralph-specum:implement");
    expect(reason).toContain("/ralph-specum:cancel");
    expect(place.hook("stop")).toEqual(SILENT);
  });
});

describe("a client that does not tell the last message", () => {
  const says = (text: string): string =>
    `${JSON.stringify({ type: "assistant", message: { content: [{ type: "text", text }] } })}\n`;

  it.each<[what: string, text: string, reason: RegExp]>([
    [
      "the claim that all is done",
      "ALL_TASKS_COMPLETE",
      /Not everything is done\. Unticked in tasks\.md/,
    ],
    ["something else", "On to the next one.", /^(?![^]*Not everything is done)/],
  ])("has it looked up, at the end of 2 GB: %s", (_, text, reason) => {
    const place = startPlace(specum);
    const transcript = join(place.root, "transcript.jsonl");
    writeFileSync(transcript, says("ALL_TASKS_COMPLETE"));
    truncateSync(transcript, 2 ** 31);
    writeFileSync(transcript, `\n${says(text)}`, { flag: "a" });
    const { code, out } = place.hook("stop", { transcript_path: transcript });
    expect(code).toBe(0);
    expect((JSON.parse(out) as { reason: string }).reason).toMatch(reason);
  });
});

describe("an internal error of the hook", () => {
  const ONE_LINE =
    /^\[ralph-specum\] [^\n]+; the loop stops here, \/ralph-specum:status shows details\n$/;

  it.each<[what: string, make: (path: string) => void]>([
    ["a FIFO", (path) => void execFileSync("mkfifo", [path])],
    ["a link", (path) => symlinkSync("/tmp/elsewhere", path)],
  ])("lets the agent stop and says why: the journal is %s", (_, make) => {
    const place = startPlace(specum);
    const journal = join(place.folder, ".ralph-journal.jsonl");
    rmSync(journal);
    make(journal);
    const { code, out, err } = place.hook("stop");
    expect(code).toBe(0);
    // Nobody sees standard error: the user is told as well, and the agent may stop.
    const told = JSON.parse(out) as Record<string, string>;
    expect(Object.keys(told)).toEqual(["systemMessage"]);
    expect(err).toBe(`[ralph-specum] ${told["systemMessage"]}\n`);
    expect(err).toMatch(ONE_LINE);
    expect(err).toMatch(/\.ralph-journal\.jsonl cannot be used: it is /);
    expect(readdirSync(place.folder)).not.toContain(".ralph-lock");
  });

  it("lets the agent stop and says why: the folder is read-only", () => {
    const place = startPlace(specum);
    chmodSync(place.folder, 0o555);
    // Root may write everywhere, and others may not be able to read this repository, nor have a run of root's.
    const asRoot = process.getuid?.() === 0;
    if (asRoot) runChild("chown", ["-R", "65534:65534", place.env["HOME"] as string]);
    const hook = join(place.root, "dist", "hook.cjs");
    cpSync(join(REPOSITORY, "plugins/ralph-specum/dist"), dirname(hook), { recursive: true });
    const { code, out, err } = runChild(process.execPath, [hook, "specum", "stop"], {
      input: JSON.stringify({ session_id: SESSION, cwd: place.root }),
      cwd: "/",
      env: place.env,
      ...(asRoot ? { uid: 65534, gid: 65534 } : {}),
    });
    chmodSync(place.folder, 0o755);
    expect(code).toBe(0);
    // Nobody sees standard error: the user is told as well, and the agent may stop.
    const told = JSON.parse(out) as Record<string, string>;
    expect(Object.keys(told)).toEqual(["systemMessage"]);
    expect(err).toBe(`[ralph-specum] ${told["systemMessage"]}\n`);
    expect(err).toMatch(ONE_LINE);
    expect(err).toContain("permission is denied");
    expect(place.entries()).toHaveLength(1);
  });
});
