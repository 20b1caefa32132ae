import { execFileSync, spawn } from "node:child_process";
import {
  mkdirSync,
  readdirSync,
  readFileSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { endOf, makeProgram, runChild } from "../../test/program/child.ts";
import { fillFolder, makeFolder } from "../../test/program/temporary.ts";
import { specum } from "../../test/support/editions.ts";
import { formatEntry } from "../run/journal-lines.ts";
import { startLoop } from "../run/loop.ts";
import { locate } from "../tasks/position.ts";
import { mergeStaleProgress } from "./progress.ts";
import { openProject } from "./project.ts";
import { MAX_BYTES } from "./read.ts";
import {
  applyWrite,
  readAllEntries,
  readDisk,
  readEntries,
  readLastEntry,
  readState,
  readTasks,
  writeTasks,
} from "./spec-files.ts";
import { type Spec, specAt } from "./spec.ts";

const AT = "2026-01-02T03:04:05.000Z";
const loop = startLoop("s", {}, undefined, { at: AT, runId: "run" });
const entry = formatEntry({ at: AT, event: "start", loop });

function makeSpec(files: Readonly<Record<string, string>> = {}): Spec {
  const root = makeFolder();
  fillFolder(root, { "project/specs/demo/": "", outside: '{"phase":"execution"}' });
  const project = openProject(specum, join(root, "project"));
  const spec = specAt(project, join(project.root, "specs", "demo"));
  fillFolder(spec.folder, files);
  return spec;
}

it("hands out wider groups while a runner has the run: it starts the next task as soon as one has ended", () => {
  const tasks = Array.from({ length: 12 }, (_, i) => `- [ ] 1.${i + 1} [P] a\n`).join("");
  const widthOf = (session: string, open: boolean): number => {
    const own = { ...startLoop(session, {}, undefined, { at: AT, runId: "run" }), open };
    const journal = `${formatEntry({ at: AT, event: "start", loop: own })}\n`;
    const disk = readDisk(makeSpec({ "tasks.md": tasks, ".ralph-journal.jsonl": journal }));
    return disk.tasks.kind === "ok" ? locate(disk.tasks.list).current.length : 0;
  };
  expect(widthOf("s", true)).toBe(5);
  expect(widthOf("run-2026-01-02-0304-ab12", true)).toBe(12);
  expect(widthOf("run-2026-01-02-0304-ab12", false)).toBe(5);
});

const oddities: Readonly<Record<string, (path: string) => void>> = {
  nothing: () => {},
  "an empty file": (path) => writeFileSync(path, ""),
  "an array": (path) => writeFileSync(path, "[]"),
  null: (path) => writeFileSync(path, "null"),
  "half of an object": (path) => writeFileSync(path, '{"phase":"exec'),
  "2 MB of white space": (path) => writeFileSync(path, `{${" ".repeat(2 << 20)}}`),
  "a folder": (path) => mkdirSync(path),
  "a FIFO": (path) => void execFileSync("mkfifo", [path]),
  "a loop of links": (path) => symlinkSync(path, path),
  "a link out of the project": (path) => symlinkSync(join(path, "../../../../outside"), path),
  "a link to nowhere": (path) => symlinkSync("nowhere", path),
  garbage: (path) => writeFileSync(path, Buffer.from([0xff, 0xfe, 0x00, 0x0a, 0x7b])),
};

const program = makeProgram(
  `import { editionsOf, hosts } from "./hosts/all.ts";
   import { readEntries, readLastEntry, readState, readTasks } from "./store/spec-files.ts";
   import { openProject } from "./store/project.ts";
   import { specAt } from "./store/spec.ts";
   const [root, folder] = process.argv.slice(2);
   const spec = specAt(openProject(editionsOf(hosts[0])[0], root), folder);
   const tasks = readTasks(spec);
   console.log(JSON.stringify({ state: readState(spec), last: readLastEntry(spec), entries: readEntries(spec),
     tasks: tasks.kind === "ok" ? tasks.list.tasks.length : tasks }));`,
);

function readAll(spec: Spec): Record<string, unknown> {
  const args = [program, spec.project.root, spec.folder];
  const { code, out, err } = runChild(process.execPath, args, { timeout: 60_000 });
  expect(err).toBe("");
  expect(code).toBe(0);
  return JSON.parse(out) as Record<string, unknown>;
}

const corrupt = (why: string) => ({ kind: "corrupt", why });
const absent = { kind: "absent" };

describe.each([
  ["nothing", absent, absent],
  ["an empty file", corrupt("it is empty"), 0],
  ["an array", corrupt("it is not a JSON object"), 0],
  ["null", corrupt("it is not a JSON object"), 0],
  ["half of an object", corrupt("it is not valid JSON"), 0],
  ["2 MB of white space", corrupt("it is larger than 1 MB"), 0],
  ["a folder", corrupt("it is not a file"), { kind: "unreadable", why: "it is not a file" }],
  ["a FIFO", corrupt("it is not a file"), { kind: "unreadable", why: "it is not a file" }],
  [
    "a loop of links",
    corrupt("it is a loop of symbolic links"),
    { kind: "unreadable", why: "it is a loop of symbolic links" },
  ],
  [
    "a link out of the project",
    corrupt("it is a link out of the project"),
    { kind: "unreadable", why: "it is a link out of the project" },
  ],
  ["a link to nowhere", absent, absent],
  ["garbage", corrupt("it is not valid JSON"), 0],
])("with %s in its place", (kind, state, tasks) => {
  it("state, tasks and journal are read without hanging", () => {
    const spec = makeSpec();
    for (const path of [spec.state, spec.tasks, spec.journal]) oddities[kind]?.(path);
    expect(readAll(spec)).toEqual({ state, tasks, entries: [] });
  });
});

it("takes a state in another encoding, if it is JSON", () => {
  const spec = makeSpec();
  writeFileSync(spec.state, Buffer.from('{"phase":"execution","who":"Ren\u00e9"}', "latin1"));
  expect(readState(spec)).toMatchObject({
    kind: "ok",
    raw: { phase: "execution", who: "Ren\u00e9" },
  });
});

describe("a state that someone is writing", () => {
  it("is waited for, for a moment", async () => {
    const spec = makeSpec({ ".ralph-state.json": '{"phase":"exe' });
    const rest = `setTimeout(() => require("fs").writeFileSync(process.argv[1], '{"phase":"execution"}'), 60)`;
    // Node itself takes some time to start: the 60 ms begin when it says so.
    const writer = spawn(process.execPath, [
      "-e",
      `process.stdout.write("."); ${rest}`,
      spec.state,
    ]);
    await new Promise((resolve) => writer.stdout.once("data", resolve));
    expect(readState(spec)).toMatchObject({ kind: "ok", state: { phase: "execution" } });
    await endOf(writer);
  });

  it("is given up if it stays torn", () => {
    const spec = makeSpec({ ".ralph-state.json": '{"phase":"exe' });
    expect(readState(spec).kind).toBe("corrupt");
  });
});

describe("the journal", () => {
  it.each([
    ["a torn last line", `${entry}{"at":"20`, 1],
    ["garbage between its lines", `${entry}\0\0\n[1]\nnull\n{}\n${entry}`, 2],
    ["Windows line ends", entry.replace("\n", "\r\n"), 1],
    ["no newline at its end", entry.trimEnd(), 1],
    ["a cut first line", `${"x".repeat(70 << 10)}\n${entry}`, 1],
  ])("with %s gives what can be read", (_, text, count) => {
    const spec = makeSpec({ ".ralph-journal.jsonl": text });
    expect(readEntries(spec)).toHaveLength(count);
    expect(readLastEntry(spec)?.loop).toEqual(loop);
  });

  it("gets its next entry on a new line after a torn one", () => {
    const spec = makeSpec({ ".ralph-journal.jsonl": `${entry}{"at":"20` });
    applyWrite(spec, { kind: "absent" }, { event: "continue", loop }, AT);
    expect(readEntries(spec).map(({ event }) => event)).toEqual(["start", "continue"]);
  });

  it("is written before the state, so that a crash in between loses no count", () => {
    const spec = makeSpec();
    mkdirSync(spec.state);
    const write = { event: "continue", loop, state: { globalIteration: 2 } } as const;
    expect(() => applyWrite(spec, { kind: "absent" }, write, AT)).toThrow();
    expect(readLastEntry(spec)?.event).toBe("continue");
    expect(readdirSync(spec.folder).sort()).toEqual([".ralph-journal.jsonl", ".ralph-state.json"]);
  });
});

describe("applyWrite", () => {
  it("keeps unknown fields, and the order of all", () => {
    const text = '{"zeta":1,"phase":"execution","alpha":{"b":[1,2]},"taskIndex":0}';
    const spec = makeSpec({ ".ralph-state.json": text });
    const write = { event: "continue", loop, state: { taskIndex: 3 } } as const;
    applyWrite(spec, readState(spec), write, AT);
    const written = JSON.parse(readFileSync(spec.state, "utf8")) as object;
    expect(Object.entries(written)).toEqual([
      ["zeta", 1],
      ["phase", "execution"],
      ["alpha", { b: [1, 2] }],
      ["taskIndex", 3],
    ]);
  });

  it("removes the state of a finished run, and only old leftovers", () => {
    const names = [".progress.md", ".progress-task-1.md", ".progress-task-2.md", "tasks.md"];
    const spec = makeSpec({ ".ralph-state.json": "{}" });
    for (const name of names) writeFileSync(join(spec.folder, name), "");
    const old = Date.parse(AT) / 1000 - 3601;
    for (const name of names) utimesSync(join(spec.folder, name), old, old);
    utimesSync(join(spec.folder, ".progress-task-2.md"), old + 10, old + 10);
    applyWrite(spec, readState(spec), { event: "finished", loop, state: "remove" }, AT);
    expect(readdirSync(spec.folder).sort()).toEqual([
      ".progress-task-2.md",
      ".progress.md",
      ".ralph-journal.jsonl",
      "tasks.md",
    ]);
  });

  it("keeps the content of old leftovers", () => {
    const spec = makeSpec({
      ".ralph-state.json": "{}",
      ".progress.md": "# Progress\n",
      ".progress-task-1.1.md": "The port is 8080.\n",
    });
    const old = Date.parse(AT) / 1000 - 3601;
    utimesSync(join(spec.folder, ".progress-task-1.1.md"), old, old);
    applyWrite(spec, readState(spec), { event: "finished", loop, state: "remove" }, AT);
    expect(readdirSync(spec.folder)).not.toContain(".progress-task-1.1.md");
    expect(readFileSync(spec.progress, "utf8")).toBe(
      "# Progress\n\n## Notes left over from 1.1\n\nThe port is 8080.\n",
    );
  });

  it("leaves a folder alone that is named like a leftover", () => {
    const spec = makeSpec({ ".progress-task-1.md/": "" });
    expect(mergeStaleProgress(spec, AT, Number.NEGATIVE_INFINITY)).toEqual([]);
  });

  it("leaves notes that are too long to take over where they are", () => {
    const spec = makeSpec({ ".progress-task-1.md": "x".repeat(MAX_BYTES.settings + 1) });
    expect(mergeStaleProgress(spec, AT, Number.NEGATIVE_INFINITY)).toEqual([]);
    expect(readdirSync(spec.folder)).toContain(".progress-task-1.md");
  });
});

describe("the whole journal", () => {
  it("is read from its newest part if it is too long", () => {
    const filler = `${JSON.stringify({ note: "x".repeat(1100) })}\n`.repeat(
      (MAX_BYTES.journal >> 10) + 1,
    );
    const refused = formatEntry({ at: AT, event: "refused", task: "1.1", agent: "a", loop });
    const done = formatEntry({ at: AT, event: "done", task: "1.1", loop });
    const spec = makeSpec({ [specum.journalFile]: entry + filler + refused.repeat(3) + done });
    const events = readAllEntries(spec).map(({ event }) => event);
    expect(events).toEqual(["refused", "refused", "refused", "done"]);
  });

  it("is nothing if there is none, and an error if it cannot be read", () => {
    const spec = makeSpec();
    expect(readAllEntries(spec)).toEqual([]);
    mkdirSync(spec.journal);
    expect(() => readAllEntries(spec)).toThrow(/journal\.jsonl cannot be used: it is not a file/);
  });
});

describe("tasks.md", () => {
  it("may have 50 MB", () => {
    const filler = `${"Notes that nobody reads any more. ".repeat(30)}\n`.repeat(51_000);
    const spec = makeSpec({ "tasks.md": `- [ ] 1.1 First\n\n${filler}\n- [x] 1.2 Last\n` });
    const file = readTasks(spec);
    expect(file.kind === "ok" && file.list.tasks.map(({ id }) => id)).toEqual(["1.1", "1.2"]);
  });

  it.each([
    ["UTF-8", Buffer.from("- [ ] 1.1 Grüße\n")],
    ["UTF-8 with a mark", Buffer.from("\uFEFF- [ ] 1.1 Grüße\r\n")],
    ["Latin-1", Buffer.from("- [ ] 1.1 Gr\u00fc\u00dfe\n", "latin1")],
    ["a stray byte", Buffer.from([...Buffer.from("- [ ] 1.1 a"), 0xff, 0x0a])],
  ])("in %s is written back byte for byte", (_, bytes) => {
    const spec = makeSpec();
    writeFileSync(spec.tasks, bytes);
    const file = readTasks(spec);
    if (file.kind !== "ok") throw new Error(file.kind);
    expect(file.list.tasks).toHaveLength(1);
    writeTasks(spec, file.list.lines.join(""));
    expect(readFileSync(spec.tasks).equals(bytes)).toBe(true);
  });

  it("is written through a link inside the project", () => {
    const spec = makeSpec({ "real.md": "- [ ] 1.1 First\n" });
    symlinkSync("real.md", spec.tasks);
    writeTasks(spec, "- [x] 1.1 First\n");
    expect(readFileSync(join(spec.folder, "real.md"), "utf8")).toBe("- [x] 1.1 First\n");
  });
});
