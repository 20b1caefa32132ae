import { spawn } from "node:child_process";
import { appendFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { widthOf } from "../../src/apps/cli/columns.ts";
import { EXIT } from "../../src/apps/cli/command.ts";
import { layouts, specum } from "../support/editions.ts";
import { endOf, REPOSITORY, startChild } from "./child.ts";
import { expectRefusal, IN_SESSION, makePlace, type Place, startPlace } from "./support.ts";
import { makeFolder } from "./temporary.ts";
import { hasTerminal, inTerminal, showIn } from "./terminal.ts";

const CLI = join(REPOSITORY, "bin/smart-ralph.cjs");

/** Starts a command that runs until something ends it. */
function startLive(place: Place, args: readonly string[]) {
  const child = spawn(process.execPath, [CLI, ...args], { cwd: place.root, env: place.env });
  let out = "";
  child.stdout.on("data", (chunk: Buffer) => (out += chunk.toString()));
  const until = async (text: string | RegExp): Promise<void> => {
    await expect.poll(() => out, { timeout: 20_000 }).toMatch(text);
  };
  return { child, until, out: () => out, end: endOf(child) };
}

const finish = (place: Place): void => {
  writeFileSync(join(place.folder, "tasks.md"), "- [x] 1.1 a\n");
  place.stop();
};

describe.each(layouts)("$plugin logs", (layout) => {
  it("is the journal in words, with local times", () => {
    const place = startPlace(layout);
    place.run(["done", "1.1", "--report", "TASK_COMPLETE"]);
    place.run(["fail", "1.2", "--reason", "no\u001b[31m luck"]);
    const zone = { env: { TZ: "Asia/Kolkata" } };
    const [first = "", second, third] = place
      .run(["logs"], zone)
      .out.split("\n")
      .filter((line) => !/^\d{4}-/.test(line));
    expect(first).toMatch(/^\d\d:\d\d:\d\d {2}→ run started with 1\.1$/);
    expect(second).toMatch(/ {2}✓ done 1\.1/);
    expect(third).toMatch(/ {2}✗ failed 1\.2: no\[31m luck$/);
    const { entries } = place.json(["logs"], zone);
    expect(entries).toMatchObject([
      { event: "start", at: expect.stringMatching(/Z$/) as string },
      {},
      {},
    ]);
    expect(place.run(["logs", "-n", "1"]).out).toMatch(/^\S+ {2}✗ failed[^\n]*\n$/);
  });

  it("shows repeated events only once", () => {
    const place = startPlace(layout);
    for (let i = 0; i < 3; i++) place.run(["done", "1.1", "--report", "no signal"]);
    for (const verb of ["logs", "status"]) {
      const lines = place.run([verb]).out.split("\n");
      const refused = lines.filter((line) => line.includes("refused"));
      expect(refused).toEqual([expect.stringMatching(/refused 1\.1: .* \(3 times\)$/)]);
    }
    expect(place.json(["logs"])["entries"]).toHaveLength(4);
  });

  it("says so if there was no run", () => {
    expect(makePlace(layout).run(["logs"]).out).toBe('"demo" has not been run yet\n');
  });
});

describe("logs -f", () => {
  it("follows the journal, and ends with the run", async () => {
    const place = startPlace(specum);
    const live = startLive(place, ["logs", "-f"]);
    await live.until("run started");
    place.run(["done", "1.1", "--report", "TASK_COMPLETE"]);
    await live.until("✓ done 1.1");
    finish(place);
    expect(await live.end).toBe(0);
    expect(live.out()).toMatch(/✓ finished\n$/);
    expect(live.out().match(/run started/g)).toHaveLength(1);
  });

  it("ends with 0 at Ctrl-C, and when its output is no longer read", async () => {
    const place = startPlace(specum);
    const live = startLive(place, ["logs", "-f"]);
    await live.until("run started");
    live.child.kill("SIGINT");
    expect(await live.end).toBe(0);
    const unread = startLive(place, ["logs", "-f"]);
    await unread.until("run started");
    unread.child.stdout.destroy();
    place.run(["done", "1.1", "--report", "TASK_COMPLETE"]);
    expect(await unread.end).toBe(0);
  });

  it("continues after a damaged line in the journal", async () => {
    const place = startPlace(specum);
    const live = startLive(place, ["logs", "-f"]);
    await live.until("run started");
    appendFileSync(join(place.folder, ".ralph-journal.jsonl"), "{not json\n");
    place.run(["pause"]);
    await live.until("· paused");
    place.slash(["cancel"]);
    expect(await live.end).toBe(0);
  });

  it.each([
    ["logs", "-f"],
    ["status", "--watch"],
  ])("%s %s is not JSON", (...args) => {
    expectRefusalInJson(startPlace(specum), args);
  });
});

function expectRefusalInJson(place: Place, args: readonly string[]): void {
  expect(place.json(args)).toMatchObject({ ok: false, code: EXIT.usage });
  expectRefusal(place.run(["logs", "--lines", "0"]), EXIT.usage, /whole number/);
}

describe("status --line", () => {
  it("is one line, or nothing where there is nothing to say", () => {
    const place = startPlace(specum);
    expect(place.run(["status", "--line"]).out).toBe("demo 0/3 · next 1.1 First\n");
    place.run(["fail", "1.1", "--reason", "x"]);
    expect(place.run(["status", "--line"], IN_SESSION).out).toBe(
      "demo 0/3 · next 1.1 First (attempt 2 of 5)\n",
    );
    place.run(["pause"]);
    expect(place.run(["status", "--line"]).out).toBe("demo 0/3 · paused\n");
    for (const options of [{ cwd: makeFolder() }, { cwd: "/" }])
      expect(place.run(["status", "--line"], options)).toEqual({ code: 0, out: "", err: "" });
    expect(place.run(["status", "gone", "--line"])).toEqual({ code: 0, out: "", err: "" });
    writeFileSync(join(place.folder, "tasks.md"), "\u0000\u0001");
    writeFileSync(join(place.folder, ".ralph-state.json"), "{");
    expect(place.run(["status", "--line"]).code).toBe(0);
  });
});

describe("status --watch", () => {
  it("prints a line at each change in a pipe, and ends with the run", async () => {
    const place = startPlace(specum);
    const live = startLive(place, ["status", "--watch"]);
    await live.until("demo 0/3 · next 1.1");
    place.run(["done", "1.1", "--report", "TASK_COMPLETE"]);
    await live.until("demo 1/3 · next 1.2");
    finish(place);
    expect(await live.end).toBe(0);
    const lines = live.out().trimEnd().split("\n");
    expect(new Set(lines.map((line) => line.slice(10))).size, "no line twice").toBe(lines.length);
    expect(lines.at(-1)).toMatch(/^\d\d:\d\d:\d\d {2}demo 1\/1 · finished$/);
  });

  it("ends with a run that has stopped, even though it can be resumed", async () => {
    const place = startPlace(specum);
    const live = startLive(place, ["status", "--watch"]);
    await live.until("demo 0/3 · next 1.1");
    for (let i = 0; i < 4; i++) place.stop();
    expect(await live.end).toBe(0);
    expect(live.out()).toMatch(/demo 0\/3 · stopped\n$/);
  });

  it("says where it is, and ends, if nothing is running", async () => {
    const place = makePlace(specum);
    const { code, out } = await startChild(process.execPath, [CLI, "status", "--watch"], {
      cwd: place.root,
      env: place.env,
    });
    expect({ code, out }).toMatchObject({
      code: 0,
      out: expect.stringMatching(/demo 0\/3 · ready\n$/) as string,
    });
  });

  // `script` makes the terminal.
  it.runIf(hasTerminal)("redraws a screen of any width, and gives it back", async () => {
    const place = startPlace(specum);
    const child = spawn("script", inTerminal(40, ["status", "--watch"], 8), {
      cwd: place.root,
      env: { ...place.env, TERM: "xterm", SHELL: "/bin/sh" },
    });
    let out = "";
    child.stdout.on("data", (chunk: Buffer) => (out += chunk.toString()));
    await expect.poll(() => out, { timeout: 20_000 }).toContain("0 of 3");
    place.run(["done", "1.1", "--report", "TASK_COMPLETE"]);
    await expect.poll(() => out, { timeout: 20_000 }).toContain("1 of 3");
    child.stdin.write("q");
    expect(await endOf(child)).toBe(0);
    const screen = out.indexOf("\u001b[?1049h\u001b[?25l");
    const restored = out.indexOf("\u001b[?25h\u001b[?1049l");
    expect(screen).toBeGreaterThanOrEqual(0);
    expect(restored).toBeGreaterThan(screen);
    const frames = out.slice(screen, restored).split("\u001b[H").slice(1);
    expect(frames.length).toBeGreaterThanOrEqual(2);
    for (const frame of frames) expect(frame.split("\r\n").length).toBeLessThanOrEqual(7);
    expect(out.slice(restored), "what was last seen stays").toContain("1 of 3");
  });

  it.runIf(hasTerminal)("says what happens to the run when you leave", async () => {
    const place = startPlace(specum);
    const child = spawn("script", inTerminal(120, ["status", "--watch"], 40), {
      cwd: place.root,
      env: { ...place.env, TERM: "xterm", SHELL: "/bin/sh" },
    });
    let out = "";
    child.stdout.on("data", (chunk: Buffer) => (out += chunk.toString()));
    await expect.poll(() => out, { timeout: 20_000 }).toContain("q leaves; the run continues");
    place.run(["pause"]);
    await expect.poll(() => out, { timeout: 20_000 }).toContain("q leaves; the run is paused");
    child.stdin.write("q");
    expect(await endOf(child)).toBe(0);
  });
});

// `script` makes the terminal.
describe.runIf(hasTerminal).each([40, 80, 120])("in a terminal of %i columns", (columns) => {
  it.each([
    [[]],
    [["status"]],
    [["list"]],
    [["tasks"]],
    [["tasks", "lint"]],
    [["evidence"]],
    [["logs"]],
    [["doctor"]],
    [["--help"]],
  ])("%j fits", (args) => {
    const title = "Write the parser that reads the whole file 日本語 and reports the first mistake";
    const place = startPlace(specum, {
      "specs/demo/tasks.md": `- [ ] 1.1 ${title}\n- [ ] 1.2 b\n`,
    });
    place.run(["done", "1.1", "--report", "It works.\n\nTASK_COMPLETE"]);
    const lines = showIn(columns, place, args).split("\n");
    expect(lines.length).toBeGreaterThan(1);
    // Paths and options are not broken.
    for (const line of lines.filter((one) => /\S\s+\S/.test(one.trim())))
      expect(widthOf(line), line).toBeLessThanOrEqual(columns);
  });
});
