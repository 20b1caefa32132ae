import { execFileSync } from "node:child_process";
import { mkdirSync, symlinkSync, truncateSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { makeProgram, runChild } from "../../test/program/child.ts";
import { makeFolder } from "../../test/program/temporary.ts";
import { faultOf, MAX_BYTES, readTail, readText } from "./read.ts";

/** Makes something in a file's place. */
const kinds: Readonly<Record<string, (path: string) => void>> = {
  nothing: () => {},
  "a folder": (path) => mkdirSync(path),
  "a FIFO": (path) => void execFileSync("mkfifo", [path]),
  "a loop of links": (path) => symlinkSync(path, path),
  "a dangling link": (path) => symlinkSync(`${path}.gone`, path),
  "a device without end": (path) => symlinkSync("/dev/zero", path),
  "an empty file": (path) => writeFileSync(path, ""),
  "eleven bytes": (path) => writeFileSync(path, "eleven byte"),
  "ten bytes": (path) => writeFileSync(path, "exactly 10"),
  "bytes that are not UTF-8": (path) => writeFileSync(path, Buffer.from([0x63, 0x61, 0xe9])),
};

describe("reading what is in a file's place", () => {
  const program = makeProgram(
    `import { readTail, readText } from "./store/read.ts";
     const [path, bytes] = process.argv.slice(2);
     console.log(JSON.stringify([readText(path, Number(bytes)), readTail(path, Number(bytes))]));`,
  );
  const ok = (text: string, encoding = "utf8") => ({ kind: "ok", text, encoding });
  const unreadable = (why: string) => ({ kind: "unreadable", why });
  const absent = { kind: "absent" };
  it.each([
    ["nothing", absent, absent],
    ["a folder", unreadable("it is not a file"), unreadable("it is not a file")],
    ["a FIFO", unreadable("it is not a file"), unreadable("it is not a file")],
    [
      "a loop of links",
      unreadable("it is a loop of symbolic links"),
      unreadable("it is a loop of symbolic links"),
    ],
    ["a dangling link", absent, absent],
    ["a device without end", unreadable("it is not a file"), unreadable("it is not a file")],
    ["an empty file", ok(""), ok("")],
    ["ten bytes", ok("exactly 10"), ok("exactly 10")],
    ["eleven bytes", unreadable("it is larger than 1 MB"), ok("leven byte")],
    ["bytes that are not UTF-8", ok("caé", "latin1"), ok("ca\uFFFD")],
  ])("%s neither hangs nor throws", (kind, text, tail) => {
    const path = join(makeFolder(), "file");
    kinds[kind]?.(path);
    const { code, out } = runChild(process.execPath, [program, path, "10"], { timeout: 60_000 });
    expect(code).toBe(0);
    expect(JSON.parse(out)).toEqual([text, tail]);
  });

  it("treats a path through a file as missing", () => {
    const file = join(makeFolder(), "file");
    writeFileSync(file, "");
    expect(readText(join(file, "below"), 10)).toEqual(absent);
  });

  it("does not block on a socket", async () => {
    const path = join(makeFolder(), "socket");
    const server = createServer().listen(path);
    await new Promise((resolve) => server.once("listening", resolve));
    expect(readText(path, 10)).toEqual(unreadable("it is not a file"));
    server.close();
  });
});

describe("the end of a file", () => {
  it("is found in 2 GB, which no text can hold", () => {
    const path = join(makeFolder(), "transcript.jsonl");
    writeFileSync(path, "");
    truncateSync(path, 2 ** 31);
    writeFileSync(path, "\nthe end\n", { flag: "a" });
    const tail = readTail(path, MAX_BYTES.tail);
    expect(tail.kind === "ok" && tail.text.length).toBe(MAX_BYTES.tail);
    expect(tail.kind === "ok" && tail.text.endsWith("\nthe end\n")).toBe(true);
    expect(readText(path, MAX_BYTES.tasks).kind).toBe("unreadable");
  });

  it("may begin in the middle of a character", () => {
    const path = join(makeFolder(), "tail");
    writeFileSync(path, "äöü");
    expect(readTail(path, 3)).toMatchObject({ kind: "ok", text: "\uFFFDü" });
  });
});

it("says what the file system has against us", () => {
  const caught = (work: () => void): unknown => {
    try {
      work();
    } catch (error) {
      return error;
    }
    return undefined;
  };
  const folder = makeFolder();
  expect(faultOf(caught(() => writeFileSync(folder, "")))).toBe(
    `${folder} cannot be used: it is a folder`,
  );
  expect(faultOf(caught(() => writeFileSync(join(folder, "a/b"), "")))).toBe(
    `${join(folder, "a/b")} cannot be used: it is not there`,
  );
  expect(faultOf(new TypeError("ours"))).toBeUndefined();
});
