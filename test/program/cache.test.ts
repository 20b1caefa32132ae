import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { basename, join } from "node:path";
import { describe, expect, it } from "vitest";
import { specum } from "../support/editions.ts";
import { faultsIn, REPOSITORY, runChild, startChild } from "./child.ts";
import { type Place, SESSION, startPlace, userFileOf } from "./support.ts";
import { fillFolder, makeFolder } from "./temporary.ts";

/** Stops where the client gives the plugin a folder for its data. */
const stop = (place: Place, data: string) => place.stop({}, { env: { CLAUDE_PLUGIN_DATA: data } });

function makeCache(): { place: Place; data: string; cache: string } {
  const place = startPlace(specum);
  const data = join(makeFolder(), "made/by/the/hook");
  expect(stop(place, data).decision).toBe("block");
  return { place, data, cache: join(data, readdirSync(data)[0] as string) };
}

describe("the compiled hook", () => {
  it("is kept once, and by a stop that was answered", () => {
    const { place, data, cache } = makeCache();
    expect(readdirSync(data)).toHaveLength(1);
    const { mtimeMs } = statSync(cache);
    expect(stop(place, data).decision).toBe("block");
    expect(statSync(cache).mtimeMs).toBe(mtimeMs);
    const untouched = makeFolder();
    expect(place.stop({ session_id: "other" }, { env: { CLAUDE_PLUGIN_DATA: untouched } })).toEqual(
      {},
    );
    expect(readdirSync(untouched)).toEqual([]);
  });

  it.each<[what: string, damage: (path: string, bytes: Buffer) => void]>([
    ["one bit is wrong", (path, bytes) => writeFileSync(path, flipped(bytes, 5000))],
    ["many bits are wrong", (path, bytes) => writeFileSync(path, flipped(bytes, 97))],
    ["its end is zeros", (path, bytes) => writeFileSync(path, bytes.fill(0, 3000))],
    ["all of it is zeros", (path, bytes) => writeFileSync(path, bytes.fill(0))],
    ["it is cut", (path, bytes) => truncateSync(path, bytes.length - 2)],
    ["it is empty", (path) => truncateSync(path, 0)],
    ["it is something else", (path) => writeFileSync(path, "nonsense")],
  ])("is made again if %s, and the stop is answered", (_, damage) => {
    const { place, data, cache } = makeCache();
    const good = readFileSync(cache);
    damage(cache, Buffer.from(good));
    expect(stop(place, data).decision).toBe("block");
    expect(readFileSync(cache).length).toBeGreaterThan(good.length / 2);
    expect(stop(place, data).decision).toBe("block");
  });

  it.each<[what: string, spoil: (path: string) => void]>([
    ["everyone", (path) => chmodSync(path, 0o666)],
    ["its group", (path) => chmodSync(path, 0o620)],
    ["its owner, somebody else,", (path) => chownSync(path, 12345, 12345)],
  ])("is not believed if %s could have written it", (what, spoil) => {
    if (what.includes("owner") && process.geteuid?.() !== 0) return;
    const { place, data, cache } = makeCache();
    spoil(cache);
    const { ino } = statSync(cache);
    expect(stop(place, data).decision).toBe("block");
    expect(statSync(cache).ino, "it is made again").not.toBe(ino);
    expect(statSync(cache)).toMatchObject({ uid: process.geteuid?.() });
    expect(statSync(cache).mode & 0o777).toBe(0o600);
  });

  it("is neither read nor kept in a folder that others may write to", () => {
    const { place, data, cache } = makeCache();
    const old = statSync(cache);
    chmodSync(data, 0o777);
    writeFileSync(cache, "");
    expect(stop(place, data).decision).toBe("block");
    expect(statSync(cache).size).toBe(0);
    expect(readdirSync(data)).toHaveLength(1);
    chmodSync(data, 0o755);
    expect(stop(place, data).decision).toBe("block");
    expect(statSync(cache).size).toBeGreaterThan(old.size / 2);
  });

  it.each<[what: string, make: () => string]>([
    ["a file", () => join(fillFolder(makeFolder(), { data: "" }), "data")],
    ["a folder below a file", () => join(fillFolder(makeFolder(), { data: "" }), "data/x")],
    ["nothing", () => ""],
  ])("is done without where the folder is %s", (_, make) => {
    expect(stop(startPlace(specum), make()).decision).toBe("block");
  });

  it("replaces those of older versions, and leaves other files alone", () => {
    const data = fillFolder(makeFolder(), {
      "hook-0123456789ab-v20.0.0-x64.cache": "",
      "notes.txt": "",
    });
    stop(startPlace(specum), data);
    const left = readdirSync(data);
    expect(left).toHaveLength(2);
    expect(left).toContain("notes.txt");
  });

  it("is made by many at once without leftovers", async () => {
    const place = startPlace(specum, { [userFileOf(specum)]: "---\nstall_limit: 1000\n---\n" });
    const data = makeFolder();
    const hook = join(REPOSITORY, "plugins/ralph-specum/dist/hook.cjs");
    const input = JSON.stringify({
      session_id: SESSION,
      cwd: place.root,
      last_assistant_message: "Done.",
    });
    const env = { ...place.env, CLAUDE_PLUGIN_DATA: data };
    const ran = await Promise.all(
      Array.from({ length: 12 }, () =>
        startChild(process.execPath, [hook, "specum", "stop"], { env, input }),
      ),
    );
    expect(
      ran.filter(({ code, err, out }) => code !== 0 || faultsIn(err) !== "" || out === ""),
    ).toEqual([]);
    expect(readdirSync(data)).toHaveLength(1);
  });
});

/** Writes what a stop takes for its compiled code, if it looks there: code that leaves a file. */
function poison(data: string, name: string, leaves: string): void {
  mkdirSync(data, { recursive: true });
  const body = join(REPOSITORY, "plugins/ralph-specum/dist/hook-body.cjs");
  // The engine compares no more of the source than its length.
  const make = `
    const fs = require("node:fs"), vm = require("node:vm");
    const [body, file, leaves] = process.argv.slice(1);
    const wrap = (text) => "(function (require, module, exports) {" + text + "\\n})";
    const size = wrap(fs.readFileSync(body, "utf8")).length;
    const start = "if (module.dry) return; require('node:fs').writeFileSync(" + JSON.stringify(leaves) + ", '');//";
    const script = new vm.Script(wrap(start.padEnd(size - wrap("").length, "x")), { filename: body });
    script.runInThisContext()(require, { dry: true }, {});
    const data = script.createCachedData();
    fs.writeFileSync(file, Buffer.concat([data, data]), { mode: 0o600 });`;
  runChild(process.execPath, ["-e", make, body, join(data, name), leaves]);
}

describe("compiled code that a project brings along", () => {
  const stopAt = (place: Place, data: string, host?: string): string => {
    const env = { CLAUDE_PLUGIN_DATA: data };
    return place.hook(
      "stop",
      { last_assistant_message: "Done.", transcript_path: null },
      host === undefined ? { env } : { env, host },
    ).out;
  };
  const begin = () => {
    const { place, cache } = makeCache();
    return { place, name: basename(cache), leaves: join(makeFolder(), "ran") };
  };

  it("would be run from the folder of the client's own", () => {
    const { place, name, leaves } = begin();
    const data = makeFolder();
    poison(data, name, leaves);
    stopAt(place, data);
    expect(existsSync(leaves)).toBe(true);
  });

  it.each(["codex", "qwen", "gemini"])("is not run in %s, wherever it is", (host) => {
    const { place, name, leaves } = begin();
    const data = makeFolder();
    poison(data, name, leaves);
    const before = statSync(join(data, name));
    expect(stopAt(place, data, host)).toContain("1.1");
    expect(existsSync(leaves)).toBe(false);
    expect(statSync(join(data, name))).toMatchObject({ ino: before.ino, mtimeMs: before.mtimeMs });
    const missing = join(makeFolder(), "missing");
    stopAt(place, missing, host);
    expect(existsSync(missing)).toBe(false);
  });

  it.each<[how: string, path: (root: string) => string]>([
    ["its path", (root) => join(root, "data")],
    ["the folder of the process", () => "/proc/self/cwd/data"],
    ["a relative path", () => "data"],
    [
      "a link elsewhere",
      (root) => {
        const link = join(makeFolder(), "link");
        symlinkSync(root, link);
        return join(link, "data");
      },
    ],
  ])("is not run from the project, nor is any kept there: %s", (how, pathIn) => {
    const { place, name, leaves } = begin();
    const data = join(place.root, "data");
    if (how !== "a link elsewhere") {
      expect(stopAt(place, pathIn(place.root))).toContain("1.1");
      expect(existsSync(data)).toBe(false);
    }
    poison(data, name, leaves);
    expect(stopAt(place, pathIn(place.root))).toContain("1.1");
    expect(existsSync(leaves)).toBe(false);
  });
});

function flipped(bytes: Buffer, every: number): Buffer {
  for (let at = every; at < bytes.length / 2; at += every) bytes[at] = (bytes[at] as number) ^ 1;
  return bytes;
}

it("a plugin that is damaged lets the agent stop, and says what to do", async () => {
  const dist = makeFolder();
  const hook = join(dist, "hook.cjs");
  writeFileSync(hook, readFileSync(join(REPOSITORY, "plugins/ralph-specum/dist/hook.cjs")));
  mkdirSync(join(dist, "hook-body.cjs"));
  chmodSync(dist, 0o755);
  const { code, out, err } = await startChild(process.execPath, [hook, "specum", "stop"], {
    input: "{}",
  });
  expect({ code, out }).toEqual({ code: 0, out: "" });
  expect(err).toMatch(
    /^\[smart-ralph\] the hook could not start: [^\n]+; install the plugin again\n$/,
  );
});
