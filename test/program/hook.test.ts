import { execFileSync } from "node:child_process";
import {
  chmodSync,
  cpSync,
  mkdirSync,
  readdirSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { layouts, specum } from "../../src/core/layout.ts";
import { REPOSITORY, runChild } from "./child.ts";
import { expectRefusal, makePlace, SESSION, startPlace } from "./support.ts";
import { fillFolder } from "./temporary.ts";

const SILENT = { code: 0, out: "", err: "" };

describe.each(layouts)("the hook of $plugin lets go in silence", (layout) => {
  const running = startPlace(layout);
  const entries = running.entries().length;

  it.each<[what: string, input: string]>([
    ["nothing", ""],
    ["white space", " \n"],
    ["no JSON", "not json"],
    ["half of an object", '{"cwd":"/'],
    ["null", "null"],
    ["a number", "3"],
    ["an array", "[]"],
    ["a string", '"cwd"'],
    ["no cwd", JSON.stringify({ session_id: SESSION })],
    ["an empty cwd", JSON.stringify({ session_id: SESSION, cwd: "" })],
    ["a cwd that is no text", JSON.stringify({ session_id: SESSION, cwd: 3 })],
    ["a cwd that is not there", JSON.stringify({ session_id: SESSION, cwd: "/nonexistent/x" })],
    ["a byte order mark", `\uFEFF{}`],
    ["NUL bytes", "\0\0\0\0"],
  ])("for %s on standard input", (_, input) => {
    expect(running.hook("stop", input)).toEqual(SILENT);
    expect(running.entries()).toHaveLength(entries);
  });

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

  it.each(["false", "False", '"false"', "'FALSE' # for now"])(
    "where the settings say enabled: %s",
    (value) => {
      const place = startPlace(layout);
      fillFolder(place.root, { [layout.settingsFile]: `---\nenabled: ${value}\n---\n` });
      expectRefusal(place.run(["implement"]), 1, "is disabled", "enabled: true");
      expect(place.hook("stop")).toEqual(SILENT);
      expect(place.hook("prompt", { prompt: "hello" })).toEqual(SILENT);
    },
  );

  it("where there is no pointer, no state, or no spec any more", () => {
    expect(makePlace(layout).hook("stop")).toEqual(SILENT);
    const place = startPlace(layout);
    rmSync(join(place.folder, layout.stateFile));
    expect(place.hook("stop")).toEqual(SILENT);
    rmSync(place.folder, { recursive: true });
    expect(place.hook("stop")).toEqual(SILENT);
  });
});

describe.each(layouts)("the hook of $plugin answers with valid JSON", (layout) => {
  it("when it continues, is lied to, waits, stalls, and has finished", () => {
    const place = startPlace(layout);
    const word = layout.unit;
    const first = place.stop();
    expect(first.reason).toMatch(new RegExp(`^Continue ${word}: demo \\(Task 1/3, Iter 2\\)\n`));
    expect(first.systemMessage).toMatch(/^Ralph-\w+ iteration 2 \| Task 1\/3$/);
    expect(place.stop({ last_assistant_message: "**ALL_TASKS_COMPLETE**" }).reason).toMatch(
      /not ticked in tasks\.md: 1\.1 First; 1\.2 Second/,
    );
    expect(place.stop({ last_assistant_message: null }).decision).toBe("block");
    expect(place.stop({ background_tasks: [{ type: "subagent" }] })).toEqual({});
    expect(place.stop({ background_tasks: [{ type: "shell" }] })).toEqual({
      systemMessage: expect.stringContaining("nothing moved in 3 continuations") as string,
    });
    expect(place.stop()).toEqual({});
    writeFileSync(join(place.folder, "tasks.md"), "- [x] 1.1 a\n");
    expect(place.stop()).toEqual({
      systemMessage: expect.stringContaining("all 1 tasks done") as string,
    });
    expect(place.stop()).toEqual({});
  });

  it("at the limit, as the layout has it", () => {
    const place = startPlace(layout);
    place.run(["implement", "--max-global-iterations", "1", "--session", SESSION]);
    const { code, out, err } = place.hook("stop");
    const answer = JSON.parse(out) as Record<string, string>;
    expect({ code, decision: answer["decision"] }).toEqual({
      code: 0,
      decision: layout.atLimit === "advise" ? "block" : undefined,
    });
    expect(answer["systemMessage"]).toContain("all 1 iterations are used");
    expect(err).toBe(
      layout.atLimit === "advise" ? "" : `[${layout.plugin}] ${answer["systemMessage"]}\n`,
    );
    expect(place.hook("stop")).toEqual(SILENT);
    expect(place.state()).toBeDefined();
  });

  it("when the user speaks while the loop is on, and not when a command is typed", () => {
    const place = startPlace(layout);
    const { code, out } = place.hook("prompt", { prompt: "what is this?" });
    expect(code).toBe(0);
    expect(JSON.parse(out)).toMatchObject({
      systemMessage: expect.stringContaining(`/${layout.plugin}:pause pauses it`) as string,
      hookSpecificOutput: { hookEventName: "UserPromptSubmit" },
    });
    expect(place.hook("prompt", { prompt: "/help" })).toEqual(SILENT);
    expect(place.hook("prompt", { prompt: "hi", session_id: "other" })).toEqual(SILENT);
    place.run(["pause"]);
    expect(place.hook("prompt", { prompt: "hi" })).toEqual(SILENT);
  });

  it("whatever stands in the spec", () => {
    const evil = '"}{\\ \u001b]0;owned\u0007 {{tasks}} $& \uD800 `x`';
    const place = startPlace(layout, {
      [`${layout.specsDirs[0]}/demo/tasks.md`]: `- [ ] 1.1 ${evil}\n`,
    });
    place.run(["await-approval", "--reason", evil]);
    // eslint-disable-next-line no-control-regex -- none may reach the terminal
    expect(place.stop().systemMessage).not.toMatch(/[\u0000-\u001f]/);
    place.run(["approve"]);
    // eslint-disable-next-line no-control-regex -- none may reach the terminal
    expect(place.stop().reason).not.toMatch(/[\u0000-\u0009\u000b-\u001f]/);
  });
});

describe("a state", () => {
  it.each<[what: string, make: (path: string) => void]>([
    ["half written", (path) => writeFileSync(path, '{"phase":')],
    ["an array", (path) => writeFileSync(path, "[]")],
    ["a folder", (path) => mkdirSync(path)],
    ["a FIFO", (path) => void execFileSync("mkfifo", [path])],
    ["a link out", (path) => symlinkSync("/etc/hosts", path)],
    ["2 MB", (path) => writeFileSync(path, " ".repeat(2 << 20))],
  ])("that is %s is told once", (_, make) => {
    const place = startPlace(specum);
    const state = join(place.folder, ".ralph-state.json");
    rmSync(state);
    make(state);
    const { decision, reason } = place.stop({ stop_hook_active: true });
    expect(decision).toBe("block");
    expect(reason).toMatch(/\.ralph-state\.json cannot be used: it is .*\.\n/);
    expect(reason).toContain("/ralph-specum:implement");
    expect(reason).toContain("/ralph-specum:cancel");
    expect(place.hook("stop")).toEqual(SILENT);
  });
});

describe("a client that does not tell the last message", () => {
  const says = (text: string): string =>
    `${JSON.stringify({ type: "assistant", message: { content: [{ type: "text", text }] } })}\n`;

  it.each<[what: string, text: string, reason: RegExp]>([
    ["the claim that all is done", "ALL_TASKS_COMPLETE", /Not all is done: these tasks/],
    ["something else", "On to the next one.", /^(?![^]*Not all is done)/],
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

  it.each(["/nonexistent", "/", "/dev/zero", ""])("may name %j for a transcript", (path) => {
    const place = startPlace(specum);
    const { code, out } = place.hook("stop", { transcript_path: path });
    expect(code).toBe(0);
    expect(JSON.parse(out)).toMatchObject({ decision: "block" });
  });
});

it("the folder where the session was started comes before the one where the agent is", () => {
  const [home, away] = [startPlace(specum), startPlace(specum)];
  const env = { CLAUDE_PROJECT_DIR: home.root };
  expect(home.stop({}, { cwd: away.root, env })).toMatchObject({ decision: "block" });
  expect(home.entries()).toHaveLength(2);
  expect(away.entries()).toHaveLength(1);
});

describe("a fault of the hook", () => {
  const ONE_LINE =
    /^\[ralph-specum\] [^\n]+; the loop lets go here, \/ralph-specum:status shows where it stands\n$/;

  it.each<[what: string, make: (path: string) => void]>([
    ["a folder", (path) => mkdirSync(path)],
    ["a FIFO", (path) => void execFileSync("mkfifo", [path])],
    ["a link", (path) => symlinkSync("/tmp/elsewhere", path)],
  ])("lets the agent stop and says why: the journal is %s", (_, make) => {
    const place = startPlace(specum);
    const journal = join(place.folder, ".ralph-journal.jsonl");
    rmSync(journal);
    make(journal);
    const { code, out, err } = place.hook("stop");
    expect({ code, out }).toEqual({ code: 0, out: "" });
    expect(err).toMatch(ONE_LINE);
    expect(err).toMatch(/\.ralph-journal\.jsonl cannot be used, it is /);
    expect(readdirSync(place.folder)).not.toContain(".ralph-lock");
  });

  it("lets the agent stop and says why: the folder is read-only", () => {
    const place = startPlace(specum);
    chmodSync(place.folder, 0o555);
    // Root may write everywhere, and others may not be able to read this repository.
    const asRoot = process.getuid?.() === 0;
    const hook = join(place.root, "dist", "hook.cjs");
    cpSync(join(REPOSITORY, "plugins/ralph-specum/dist"), dirname(hook), { recursive: true });
    const { code, out, err } = runChild(process.execPath, [hook, "specum", "stop"], {
      input: JSON.stringify({ session_id: SESSION, cwd: place.root }),
      cwd: "/",
      env: place.env,
      ...(asRoot ? { uid: 65534, gid: 65534 } : {}),
    });
    chmodSync(place.folder, 0o755);
    expect({ code, out }).toEqual({ code: 0, out: "" });
    expect(err).toMatch(ONE_LINE);
    expect(err).toContain("permission is denied");
    expect(place.entries()).toHaveLength(1);
  });

  it("is a warning if the pointer leads out of the project", () => {
    const place = startPlace(specum);
    for (const text of ["../../etc", "/etc", "a\nb", "\u001b[31mx"]) {
      writeFileSync(join(place.root, "specs/.current-spec"), text);
      const { code, out, err } = place.hook("stop");
      expect({ code, out }).toEqual({ code: 0, out: "" });
      // eslint-disable-next-line no-control-regex -- none may reach the terminal
      expect(err).toMatch(/^\[ralph-specum\] WARNING: [^\u0000-\u001f]+; nothing is run\n$/);
    }
  });
});
