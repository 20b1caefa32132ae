import { execFileSync, spawn } from "node:child_process";
import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { makeProgram, runChild } from "../../test/program/child.ts";
import { makeFolder } from "../../test/program/temporary.ts";
import { processName } from "./process-id.ts";
import { appendLine, retryIfBusy, removeFile, writeWhole } from "./write.ts";

const program = makeProgram(
  `import { appendLine, writeWhole } from "./store/write.ts";
   const [verb, path, text] = process.argv.slice(2);
   if (verb === "forever") for (let i = 0; ; i++) writeWhole(path, String(i % 10).repeat(200_000));
   try {
     if (verb === "append") appendLine(path, text.repeat(100_000));
     else writeWhole(path, text.repeat(100_000));
   } catch (error) { console.log(error.code ?? error.message); }`,
);

describe("writeWhole", () => {
  it("never shows a reader half of a file", async () => {
    const path = join(makeFolder(), "state.json");
    writeFileSync(path, "0".repeat(200_000));
    const writer = spawn(process.execPath, [program, "forever", path]);
    await new Promise((resolve) => setTimeout(resolve, 100));
    const seen = new Set<string>();
    try {
      // Long enough to catch a tear, and until the writer, on a busy machine, has come to write at all.
      const [least, most] = [Date.now() + 400, Date.now() + 15_000];
      while (Date.now() < least || (seen.size < 2 && Date.now() < most)) {
        const text = readFileSync(path, "utf8");
        expect(text.length).toBe(200_000);
        expect(text).toBe((text[0] as string).repeat(200_000));
        seen.add(text[0] as string);
      }
    } finally {
      writer.kill("SIGKILL");
    }
    expect(seen.size).toBeGreaterThan(1);
  });

  it.each([0o600, 0o640, 0o664, 0o666, 0o755])("keeps the mode %o", (mode) => {
    const path = join(makeFolder(), "file");
    writeFileSync(path, "old");
    chmodSync(path, mode);
    writeWhole(path, "new");
    expect(statSync(path).mode & 0o777).toBe(mode);
    expect(readFileSync(path, "utf8")).toBe("new");
  });

  it.runIf(process.getuid?.() === 0)("leaves a user's file theirs when root writes it", () => {
    const path = join(makeFolder(), "file");
    writeFileSync(path, "old");
    chownSync(path, 65534, 65534);
    writeWhole(path, "new");
    expect(statSync(path)).toMatchObject({ uid: 65534, gid: 65534 });
  });

  it("creates a new file with the user's umask", () => {
    const path = join(makeFolder(), "file");
    writeWhole(path, "new");
    expect(statSync(path).mode & 0o777).toBe(0o666 & ~process.umask());
  });

  it("goes over what a dead process of the same name left", () => {
    const path = join(makeFolder(), "file");
    writeFileSync(`${path}.${processName()}.tmp`, "half of a st");
    writeWhole(path, "new");
    expect(readFileSync(path, "utf8")).toBe("new");
    expect(existsSync(`${path}.${processName()}.tmp`)).toBe(false);
  });

  it("replaces a link instead of writing through it", () => {
    const folder = makeFolder();
    writeFileSync(join(folder, "outside"), "untouched");
    symlinkSync(join(folder, "outside"), join(folder, "link"));
    writeWhole(join(folder, "link"), "new");
    expect(readFileSync(join(folder, "outside"), "utf8")).toBe("untouched");
    expect(readFileSync(join(folder, "link"), "utf8")).toBe("new");
  });

  it("leaves nothing behind when the rename fails", () => {
    const folder = makeFolder();
    mkdirSync(join(folder, "taken"));
    expect(() => writeWhole(join(folder, "taken"), "text")).toThrow(/EISDIR|ENOTEMPTY|EEXIST/);
    expect(readdirSync(folder)).toEqual(["taken"]);
  });

  it("leaves the old file and nothing else when the disk is full", () => {
    const folder = makeFolder();
    writeFileSync(join(folder, "file"), "old");
    // A limit on the size of files fails a write in the middle, just as a full disk does.
    const script = `ulimit -f 8; exec "$0" "$@"`;
    const args = [program, "write", join(folder, "file"), "abcdefgh"];
    const { out } = runChild("/bin/sh", ["-c", script, process.execPath, ...args]);
    expect(out).toBe("EFBIG\n");
    expect(readdirSync(folder)).toEqual(["file"]);
    expect(readFileSync(join(folder, "file"), "utf8")).toBe("old");
  });

  it("writes bytes back as they were", () => {
    const path = join(makeFolder(), "file");
    writeWhole(path, "caf\u00e9", "latin1");
    expect([...readFileSync(path)]).toEqual([0x63, 0x61, 0x66, 0xe9]);
  });
});

describe("appendLine", () => {
  it("adds a line, and closes one that a crash left open", () => {
    const path = join(makeFolder(), "journal");
    appendLine(path, "one\n");
    appendLine(path, "tw");
    appendLine(path, "three\n");
    expect(readFileSync(path, "utf8")).toBe("one\ntw\nthree\n");
  });

  it("says so when a line does not fit any more", () => {
    const path = join(makeFolder(), "journal");
    const script = `ulimit -f 8; exec "$0" "$@"`;
    const args = [program, "append", path, "abcdefgh"];
    const { out } = runChild("/bin/sh", ["-c", script, process.execPath, ...args]);
    expect(out).toBe("ENOSPC\n");
    expect(readFileSync(path, "utf8"), "no half line").toMatch(/^(?:abcdefgh\n)*$/);
  });

  it.each(["a folder", "a link", "a FIFO"])("refuses %s without blocking", (kind) => {
    const folder = makeFolder();
    const path = join(folder, "journal");
    if (kind === "a folder") mkdirSync(path);
    if (kind === "a link") symlinkSync(join(folder, "elsewhere"), path);
    if (kind === "a FIFO") execFileSync("mkfifo", [path]);
    const { code, out } = runChild(process.execPath, [program, "append", path, "x"], {
      timeout: 60_000,
    });
    expect(code).toBe(0);
    expect(out).toMatch(/^(?:EISDIR|.* cannot be used: it is (?:not a file|a symbolic link))\n$/);
    expect(existsSync(join(folder, "elsewhere"))).toBe(false);
  });
});

describe("insist", () => {
  const failing = (code: string, times: number) => {
    let tries = 0;
    const work = (): number => {
      if (++tries <= times) throw Object.assign(new Error(code), { code });
      return tries;
    };
    return { work, tries: () => tries };
  };

  it.each(["EPERM", "EACCES", "EBUSY"])("tries again on Windows: %s", (code) => {
    expect(retryIfBusy(failing(code, 3).work, true)).toBe(4);
  });

  it("gives up if it lasts", () => {
    const { work, tries } = failing("EPERM", 100);
    expect(() => retryIfBusy(work, true)).toThrow("EPERM");
    expect(tries()).toBe(6);
  });

  it.each([
    ["EPERM", false],
    ["EEXIST", true],
    ["ENOSPC", true],
  ])("tries once: %s", (code, isWindows) => {
    const { work, tries } = failing(code, 1);
    expect(() => retryIfBusy(work, isWindows)).toThrow(code);
    expect(tries()).toBe(1);
  });
});

it("removes a file once and is content when it is gone", () => {
  const path = join(makeFolder(), "file");
  writeFileSync(path, "");
  removeFile(path);
  removeFile(path);
  expect(existsSync(path)).toBe(false);
});
