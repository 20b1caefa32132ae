import { chmodSync, existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { layouts, specum } from "../support/editions.ts";
import { vaultOf } from "../support/ticket.ts";
import { faultsIn, runChild } from "./child.ts";
import { type At, commandOf, runGate } from "./gate.ts";
import { makePlace, type Place, pointerOf, SESSION, startPlace } from "./support.ts";
import { fillFolder, makeFolder } from "./temporary.ts";

/** A `node` that does nothing but leave a mark. */
function makeFakeNode(): { path: string; started: () => boolean } {
  const bin = makeFolder();
  const mark = join(bin, "mark");
  writeFileSync(join(bin, "node"), `#!/bin/sh\necho "$@" >>'${mark}'\n`);
  chmodSync(join(bin, "node"), 0o755);
  return { path: `${bin}:/usr/bin:/bin`, started: () => existsSync(mark) };
}

function startsNode(place: Place, at: At = {}): boolean {
  const { path, started } = makeFakeNode();
  expect(runGate(place, { ...at, path })).toEqual({ code: 0, out: "", err: "" });
  return started();
}

describe.each(layouts)("the gate of $plugin", (layout) => {
  const specs = layout.specsDirs[0];
  const pointer = pointerOf(layout);
  const state = `${specs}/demo/${layout.stateFile}`;
  const on = { [pointer]: "demo\n", [state]: "{}" };

  it.each<[what: string, files: Record<string, string>]>([
    ["there is no pointer", {}],
    ["the pointer names a spec without a state", { [pointer]: "demo\n" }],
    ["the pointer names no spec", { [pointer]: "gone\n" }],
    ["there is a state but no pointer", { [state]: "{}" }],
    ["the pointer has no line end, and the spec no state", { [pointer]: "demo" }],
  ])("starts no node if %s", (_, files) => {
    expect(startsNode(makePlace(layout, files))).toBe(false);
  });

  it("starts no node outside any project, nor above a repository's top", () => {
    const place = makePlace(layout, { ...on, "sub/.git/HEAD": "", "sub/src/": "" });
    const outside = makeFolder();
    expect(startsNode(place, { cwd: outside, started: outside })).toBe(false);
    const sub = join(place.root, "sub/src");
    expect(startsNode(place, { cwd: sub, started: sub })).toBe(false);
    expect(startsNode(place, { cwd: "/", started: "/" })).toBe(false);
  });

  it.each<[what: string, files: Record<string, string>]>([
    ["a state", on],
    ["a state that is a folder", { [pointer]: "demo\n", [`${state}/`]: "" }],
    ["a pointer without a line end", { ...on, [pointer]: "demo" }],
    ["a pointer with a Windows line end", { ...on, [pointer]: "demo\r\n" }],
    ["a pointer with space around it", { ...on, [pointer]: "  demo \n" }],
    ["a pointer with a byte order mark", { ...on, [pointer]: "\uFEFFdemo\n" }],
    ["a pointer that is a path", { ...on, [pointer]: `./${specs}/demo\n` }],
    [
      "a pointer to a name with a space",
      { [pointer]: "my spec\n", [`${specs}/my spec/${layout.stateFile}`]: "{}" },
    ],
    [
      "a state of another spec, whose run the pointer may have been taken from",
      { [pointer]: "demo\n", [`${specs}/other/${layout.stateFile}`]: "{}" },
    ],
    [
      "settings, which may say anything",
      { [layout.settingsFile]: "---\nspecs_dirs: [docs]\n---\n" },
    ],
  ])("starts node if there is %s", (_, files) => {
    expect(startsNode(makePlace(layout, files))).toBe(true);
  });

  it("starts node if a run was begun, whatever has been removed since", () => {
    for (const gone of [pointer, state, specs, `${specs}/demo`]) {
      const place = startPlace(layout);
      rmSync(join(place.root, gone), { recursive: true });
      expect(startsNode(place), gone).toBe(true);
      expect(runGate(place).out, gone).toMatch(
        /^\{"systemMessage":"[^"]*stopped before it was finished/,
      );
      // Told once; from then on there is nothing to look after.
      expect(runGate(place), gone).toEqual({ code: 0, out: "", err: "" });
    }
  });

  it("starts node for our commands typed anywhere, and for no other words", () => {
    const place = makePlace(layout);
    const cwd = makeFolder();
    const say = (prompt: string): boolean =>
      startsNode(place, { event: "UserPromptSubmit", cwd, started: cwd, fields: { prompt } });
    expect(say(`/${layout.plugin}:start add a limit`)).toBe(true);
    expect(say("add a limit")).toBe(false);
    expect(say(`what does /${layout.plugin}:start do?`)).toBe(false);
    expect(say("/other-plugin:start")).toBe(false);
    expect(startsNode(place, { event: "UserPromptExpansion", cwd, started: cwd })).toBe(true);
  });

  it("hands the words on as they are, however many", () => {
    const place = makePlace(layout);
    const goal = `${"word ".repeat(3000)}'"$(touch pwned)\`\\n ü end`;
    const prompt = `/${layout.plugin}:start ${goal}`;
    const ran = runGate(place, { event: "UserPromptSubmit", fields: { prompt } });
    expect(ran).toEqual({ code: 0, out: "", err: "" });
    const tickets = join(vaultOf(place.env["HOME"] as string), "tickets");
    expect(JSON.parse(readFileSync(join(tickets, `${SESSION}.json`), "utf8"))).toMatchObject({
      command: "start",
      args: goal,
    });
  });

  it("starts node for a session in a subfolder, and for an agent that changed into one", () => {
    const place = makePlace(layout, { ...on, "src/deep dir/x": "", ".git/HEAD": "" });
    const sub = join(place.root, "src/deep dir");
    const outside = makeFolder();
    expect(startsNode(place, { cwd: sub, started: sub })).toBe(true);
    expect(startsNode(place, { cwd: sub })).toBe(true);
    expect(startsNode(place, { cwd: outside })).toBe(true);
    expect(startsNode(place, { started: outside })).toBe(true);
    expect(startsNode(place, { started: "" })).toBe(true);
    expect(startsNode(place, { started: `${place.root}/` })).toBe(true);
  });

  it("is silent without a node", () => {
    const place = startPlace(layout);
    expect(runGate(place, { path: makeFolder() })).toEqual({ code: 0, out: "", err: "" });
  });

  it.each(["/bin/sh", "/bin/bash"])(
    "run by %s ends in the hook's answer, wherever the agent is",
    (shell) => {
      const place = startPlace(layout, { "src/deep/x": "" });
      for (const cwd of [place.root, join(place.root, "src/deep"), makeFolder()]) {
        const { code, out, err } = runGate(place, { shell, cwd });
        expect({ code, err: faultsIn(err) }).toEqual({ code: 0, err: "" });
        expect(JSON.parse(out)).toMatchObject({ decision: "block" });
      }
    },
  );

  it("works without the faster start if node does not know it", () => {
    const place = startPlace(layout);
    const bin = makeFolder();
    const node = `#!/bin/sh
case $1 in --no-rehash-snapshot) echo "node: bad option: $1" >&2; exit 9 ;; esac
exec '${process.execPath}' "$@"
`;
    writeFileSync(join(bin, "node"), node);
    chmodSync(join(bin, "node"), 0o755);
    const { code, out } = runGate(place, { path: `${bin}:/usr/bin:/bin` });
    expect(code).toBe(0);
    expect(JSON.parse(out)).toMatchObject({ decision: "block" });
  });

  it("passes every event on", () => {
    const place = startPlace(layout);
    expect(runGate(place, { event: "StopFailure" })).toEqual({ code: 0, out: "", err: "" });
    expect(place.entries().at(-1)?.event).toBe("service-error");
    expect(runGate(place, { event: "UserPromptSubmit" }).code).toBe(0);
    expect(runGate(place, { event: "SessionEnd" }).code).toBe(0);
  });

  it("lets the agent stop if the plugin itself is gone, as in the middle of an update", () => {
    const place = startPlace(layout);
    const { code, out } = runChild("/bin/sh", ["-c", commandOf(layout.plugin, "Stop")], {
      cwd: place.root,
      env: { ...place.env, CLAUDE_PLUGIN_ROOT: "/nonexistent", CLAUDE_PROJECT_DIR: place.root },
      input: "{}",
    });
    expect({ code, out }).toEqual({ code: 0, out: "" });
  });
});

it("hook and gate agree on custom folders for specs, and on a project inside another", () => {
  const place = makePlace(specum, {
    ".claude/ralph-specum.local.md": "---\nspecs_dirs:\n  - docs/specs\n---\n",
    "docs/specs/inner/tasks.md": "- [ ] 1.1 x\n",
    "packages/api/.git/HEAD": "",
  });
  place.slash(["implement", "inner"]);
  expect(JSON.parse(runGate(place).out)).toMatchObject({ decision: "block" });
  rmSync(join(place.root, "specs"), { recursive: true });
  const inner = join(place.root, "packages/api");
  expect(runGate(place, { cwd: inner, started: inner }).out).toBe("");
  fillFolder(inner, { "specs/.current-spec": "a\n", "specs/a/tasks.md": "- [ ] 1.1 y\n" });
  place.slash(["implement"], SESSION, { cwd: inner });
  const { reason } = JSON.parse(runGate(place, { cwd: inner, started: inner }).out) as {
    reason: string;
  };
  expect(reason).toMatch(/^Continue spec: a /);
});
