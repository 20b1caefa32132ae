import { spawnSync } from "node:child_process";
import {
  chmodSync,
  linkSync,
  lstatSync,
  lutimesSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  symlinkSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import * as fc from "fast-check";
import { makeMemoryFolder } from "../support/places.ts";
import { ensure } from "./invariants.ts";

/** What is in the place of a file. */
export type Slot =
  | { readonly kind: "bytes"; readonly text: string; readonly encoding: "utf8" | "latin1" }
  | { readonly kind: "sparse"; readonly size: number }
  | { readonly kind: "link"; readonly to: string }
  | { readonly kind: (typeof ODD)[number] };

const ODD = ["folder", "fifo", "device", "loop", "dangling", "link-out", "locked"] as const;

/** A file with this content, most of the time; else nothing, something else, or more than anybody wants to read. */
export const slotOf = (
  content: fc.Arbitrary<string>,
  tooMuch = 10_000,
): fc.Arbitrary<Slot | null> =>
  fc.oneof(
    {
      weight: 60,
      arbitrary: fc.record({
        kind: fc.constant("bytes" as const),
        text: content,
        encoding: fc.constantFrom("utf8" as const, "latin1" as const),
      }),
    },
    { weight: 4, arbitrary: fc.constant(null) },
    { weight: 4, arbitrary: fc.constantFrom(...ODD.map((kind) => ({ kind }))) },
    { weight: 1, arbitrary: fc.constant({ kind: "sparse" as const, size: tooMuch }) },
  );

/** The folders of one input after another. */
export interface Stage {
  readonly home: string;
  /** Where the project is built, again for each input. */
  readonly root: string;
  /** What the program keeps in the user's own folder; emptied with the project. */
  readonly vault: string;
  /** Beside the project. Nothing in here may ever change. */
  readonly outside: string;
  readonly put: (path: string, slot: Slot | null) => void;
  readonly clear: () => void;
  readonly remove: () => void;
  /** What is outside, as it was. */
  untouched: Tree;
}

/** A lock that is young is waited for. */
const OLD = new Date("2026-01-01T00:00:00Z");

export function makeStage(): Stage {
  const home = makeMemoryFolder();
  const root = join(home, "project");
  const outside = join(home, "outside");
  const state = join(home, "state");
  const before = process.env["XDG_STATE_HOME"];
  process.env["XDG_STATE_HOME"] = state;
  const fifo = join(home, "fifo");
  const hasFifo = spawnSync("mkfifo", [fifo]).status === 0;
  fill(outside);
  return {
    untouched: readTree(outside),
    home,
    root,
    vault: join(state, "smart-ralph"),
    outside,
    clear() {
      for (const folder of [root, state]) rmSync(folder, { recursive: true, force: true });
      mkdirSync(root, { recursive: true });
    },
    remove() {
      rmSync(home, { recursive: true, force: true });
      if (before === undefined) delete process.env["XDG_STATE_HOME"];
      else process.env["XDG_STATE_HOME"] = before;
    },
    put(path, slot) {
      if (slot === null || Buffer.byteLength(path) > 4000) return;
      try {
        mkdirSync(dirname(path), { recursive: true });
        putSlot(path, slot);
      } catch (error) {
        // Not every name works for a file, and a folder may be in the way.
        if ((error as NodeJS.ErrnoException).code === undefined) throw error;
      }
    },
  };

  function putSlot(path: string, slot: Slot): void {
    switch (slot.kind) {
      case "bytes":
        return writeFileSync(path, Buffer.from(slot.text, slot.encoding));
      case "sparse":
        writeFileSync(path, "");
        return truncateSync(path, slot.size);
      case "folder":
        return void mkdirSync(path);
      case "fifo":
        return hasFifo ? linkSync(fifo, path) : undefined;
      case "link":
        return symlinkSync(slot.to, path);
      case "device":
        return symlinkSync("/dev/zero", path);
      case "loop":
        symlinkSync(path, path);
        return lutimesSync(path, OLD, OLD);
      case "dangling":
        return symlinkSync("nowhere", path);
      case "link-out":
        return symlinkSync(join(outside, "specs/demo/tasks.md"), path);
      case "locked":
        writeFileSync(path, "999999999\n");
        chmodSync(path, 0);
        return utimesSync(path, OLD, OLD);
    }
  }
}

/** Another project's run, for whoever gets out of his own. */
function fill(outside: string): void {
  for (const folder of ["specs/demo", ".specify/specs/demo"]) {
    mkdirSync(join(outside, folder), { recursive: true });
    for (const name of [".ralph-state.json", ".speckit-state.json", ".ralph-change-state.json"]) {
      writeFileSync(join(outside, folder, name), '{"phase":"execution"}');
    }
    writeFileSync(join(outside, folder, "tasks.md"), "- [ ] 1.1 Not yours\n");
  }
  writeFileSync(join(outside, "specs/.current-spec"), "demo\n");
}

export type Tree = ReadonlyMap<string, string>;

const SMALL = 64 << 10;

/** All that is below a folder, by its path from there: a link is a link, and a file is what it holds. */
export function readTree(folder: string): Tree {
  const tree = new Map<string, string>();
  const visit = (path: string): void => {
    const stat = lstatSync(join(folder, path));
    const kind = stat.mode.toString(8);
    if (stat.isDirectory()) {
      if (path !== "") tree.set(path, kind);
      for (const name of readdirSync(join(folder, path))) visit(join(path, name));
    } else if (stat.isSymbolicLink()) {
      tree.set(path, `${kind} ${readlinkSync(join(folder, path))}`);
    } else {
      // What its owner may not read, only root can.
      const isShown = stat.isFile() && stat.size <= SMALL && (stat.mode & 0o400) !== 0;
      const text = isShown ? readFileSync(join(folder, path), "latin1") : String(stat.mtimeMs);
      tree.set(path, `${kind} ${stat.ino} ${stat.size} ${text}`);
    }
  };
  visit("");
  return tree;
}

/** The paths that are in one of the two only, or are not what they were. */
export const differences = (before: Tree, after: Tree): string[] =>
  [...new Set([...before.keys(), ...after.keys()])].filter(
    (path) => before.get(path) !== after.get(path),
  );

export function ensureUntouched(stage: Stage, mayChange = false): void {
  const changed = differences(stage.untouched, readTree(stage.outside));
  if (changed.length > 0) {
    // For the next input, everything is as it was.
    rmSync(stage.outside, { recursive: true });
    fill(stage.outside);
    stage.untouched = readTree(stage.outside);
  }
  if (mayChange) return;
  ensure(changed.length === 0, "something outside of the project has changed", changed);
}
