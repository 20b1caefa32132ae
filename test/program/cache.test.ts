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
import { codeFolder, makePlace, type Place, SESSION, startPlace, userFileOf } from "./support.ts";
import { fillFolder, makeFolder } from "./temporary.ts";

const stop = (place: Place, env: Readonly<Record<string, string>> = {}) =>
  place.stop({}, { env, isCold: true });

function makeCache(): { place: Place; code: string; cache: string } {
  const place = startPlace(specum);
  const code = codeFolder(place);
  expect(stop(place).decision).toBe("block");
  return { place, code, cache: join(code, readdirSync(code)[0] as string) };
}

describe("compiled code", () => {
  it("of the hook is kept once, and by a stop that was answered", () => {
    const place = startPlace(specum);
    expect(place.stop({ session_id: "other" }, { isCold: true })).toEqual({});
    expect(existsSync(codeFolder(place))).toBe(false);
    const { code, cache } = makeCache();
    expect(readdirSync(code)).toEqual([expect.stringMatching(/^hook-body-/)]);
    const { mtimeMs } = statSync(cache);
    expect(stop(place).decision).toBe("block");
    expect(statSync(cache).mtimeMs).toBe(mtimeMs);
  });

  it("of the program is kept at the first use of each command", () => {
    const place = startPlace(specum);
    const size = (...words: string[]): number => {
      expect(place.run(words, { isCold: true }).code).toBe(words[0] === "undo" ? 2 : 0);
      return statSync(join(codeFolder(place), readdirSync(codeFolder(place))[0] as string)).size;
    };
    const first = size("list");
    expect(size("list")).toBe(first);
    const second = size("status");
    expect(second).toBeGreaterThan(first);
    const third = size("undo");
    expect(third, "a refusal is a use too").toBeGreaterThan(second);
    place.run(["no such, command"], { isCold: true });
    expect(size("list"), "what is not a command is not").toBe(third);
    expect(readdirSync(codeFolder(place))).toEqual([expect.stringMatching(/^cli-body-/)]);
  });

  it("is not kept for somebody who has started nothing", () => {
    const place = makePlace(specum);
    expect(place.run(["list"], { isCold: true }).code).toBe(0);
    expect(existsSync(join(codeFolder(place), ".."))).toBe(false);
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
    const { place, cache } = makeCache();
    const good = readFileSync(cache);
    damage(cache, Buffer.from(good));
    expect(stop(place).decision).toBe("block");
    expect(readFileSync(cache).length).toBeGreaterThan(good.length / 2);
    expect(stop(place).decision).toBe("block");
  });

  it.each<[what: string, spoil: (path: string) => void]>([
    ["everyone", (path) => chmodSync(path, 0o666)],
    ["its group", (path) => chmodSync(path, 0o620)],
    ["its owner, somebody else,", (path) => chownSync(path, 12345, 12345)],
  ])("is not believed if %s could have written it", (what, spoil) => {
    if (what.includes("owner") && process.geteuid?.() !== 0) return;
    const { place, cache } = makeCache();
    spoil(cache);
    const { ino } = statSync(cache);
    expect(stop(place).decision).toBe("block");
    expect(statSync(cache).ino, "it is made again").not.toBe(ino);
    expect(statSync(cache)).toMatchObject({ uid: process.geteuid?.() });
    expect(statSync(cache).mode & 0o777).toBe(0o600);
  });

  it("is neither read nor kept in a folder that others may write to", () => {
    const { place, code, cache } = makeCache();
    const old = statSync(cache);
    chmodSync(code, 0o777);
    writeFileSync(cache, "");
    expect(stop(place).decision).toBe("block");
    expect(statSync(cache).size).toBe(0);
    expect(readdirSync(code)).toHaveLength(1);
    chmodSync(code, 0o755);
    expect(stop(place).decision).toBe("block");
    expect(statSync(cache).size).toBeGreaterThan(old.size / 2);
  });

  it("is done without where there is no room for it", () => {
    const place = startPlace(specum);
    writeFileSync(codeFolder(place), "");
    expect(stop(place).decision).toBe("block");
    expect(readFileSync(codeFolder(place), "utf8")).toBe("");
  });

  it("of a few versions is kept, and other files are left alone", () => {
    const place = startPlace(specum);
    const old = Array.from({ length: 9 }, (_, i) => [`hook-body-${i}-v20.0.0-x64.cache`, ""]);
    const others = { "notes.txt": "", "cli-body-1-v20.0.0-x64.cache": "" };
    const code = fillFolder(codeFolder(place), { ...Object.fromEntries(old), ...others });
    chmodSync(code, 0o700);
    stop(place);
    const left = readdirSync(code);
    expect(left).toEqual(expect.arrayContaining(Object.keys(others)));
    expect(left).toHaveLength(6 + 2);
    expect(left.filter((name) => name.includes(process.version))).toHaveLength(1);
  });

  it("is made by many at once without leftovers", async () => {
    const place = startPlace(specum, { [userFileOf(specum)]: "---\nstall_limit: 1000\n---\n" });
    const hook = join(REPOSITORY, "plugins/ralph-specum/dist/hook.cjs");
    const input = JSON.stringify({
      session_id: SESSION,
      cwd: place.root,
      last_assistant_message: "Done.",
    });
    const { env } = place;
    const ran = await Promise.all(
      Array.from({ length: 12 }, () =>
        startChild(process.execPath, [hook, "specum", "stop"], { env, input }),
      ),
    );
    expect(
      ran.filter(({ code, err, out }) => code !== 0 || faultsIn(err) !== "" || out === ""),
    ).toEqual([]);
    expect(readdirSync(codeFolder(place))).toHaveLength(1);
  });
});

/** Writes what a stop takes for its compiled code, if it looks there: code that leaves a file. */
function poison(code: string, name: string, leaves: string): void {
  mkdirSync(code, { recursive: true, mode: 0o700 });
  const body = join(REPOSITORY, "plugins/ralph-specum/dist/hook-body.cjs");
  // The engine compares no more of the source than its length.
  const make = `
    const fs = require("node:fs"), vm = require("node:vm");
    const [body, file, leaves] = process.argv.slice(1);
    const wrap = (text) => "(function (require, module, exports, __dirname) {" + text + "\\n})";
    const size = wrap(fs.readFileSync(body, "utf8")).length;
    const start = "if (module.dry) return; require('node:fs').writeFileSync(" + JSON.stringify(leaves) + ", '');//";
    const script = new vm.Script(wrap(start.padEnd(size - wrap("").length, "x")), { filename: body });
    script.runInThisContext()(require, { dry: true }, {});
    const half = [script.createCachedData(), Buffer.from("\\nstop continue")];
    fs.writeFileSync(file, Buffer.concat([...half, ...half]), { mode: 0o600 });`;
  runChild(process.execPath, ["-e", make, body, join(code, name), leaves]);
}

describe("compiled code that a project brings along", () => {
  const begin = () => {
    const { place, cache } = makeCache();
    return { place, name: basename(cache), leaves: join(makeFolder(), "ran") };
  };
  const stopIn = (place: Place, env: Readonly<Record<string, string>>, host?: string) =>
    place.hook("stop", {}, { env, isCold: true, ...(host === undefined ? {} : { host }) });

  it("would be run from the user's own folder", () => {
    const { place, name, leaves } = begin();
    poison(codeFolder(place), name, leaves);
    stopIn(place, {});
    expect(existsSync(leaves)).toBe(true);
  });

  it.each([undefined, "codex", "qwen", "gemini"])(
    "is not run from where another variable says: %s",
    (host) => {
      const { place, name, leaves } = begin();
      const folder = makeFolder();
      poison(join(folder, "smart-ralph/code"), name, leaves);
      const named = ["XDG_STATE_HOME", "XDG_CACHE_HOME", "CLAUDE_PLUGIN_DATA"];
      const env = Object.fromEntries(named.map((variable) => [variable, folder]));
      expect(stopIn(place, env, host).code).toBe(0);
      expect(existsSync(leaves)).toBe(false);
    },
  );

  it.each<[how: string, homeIn: (root: string) => string]>([
    ["its path", (root) => join(root, "home")],
    ["the folder of the process", () => "/proc/self/cwd/home"],
    ["a relative path", () => "home"],
    [
      "a link elsewhere",
      (root) => {
        const link = join(makeFolder(), "link");
        symlinkSync(root, link);
        return join(link, "home");
      },
    ],
  ])("is not run from the project, nor is any kept there: %s", (_, homeIn) => {
    const { place, name, leaves } = begin();
    const code = join(place.root, "home/.local/state/smart-ralph/code");
    poison(code, name, leaves);
    const HOME = homeIn(place.root);
    expect(stopIn(place, { HOME }).code).toBe(0);
    place.run(["list"], { env: { HOME }, isCold: true });
    expect(existsSync(leaves)).toBe(false);
    expect(readdirSync(code)).toEqual([name]);
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
