import {
  chmodSync,
  existsSync,
  linkSync,
  mkdirSync,
  readdirSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import * as fc from "fast-check";
import { expect, it } from "vitest";
import { findProject } from "../../src/store/project.ts";
import { findActiveSpec } from "../../src/store/spec.ts";
import { layouts } from "../support/editions.ts";
import { REPOSITORY, runChild } from "./child.ts";
import { pointerOf } from "./support.ts";
import { fillFolder, makeFolder } from "./temporary.ts";

const LEVELS = ["", "a", "a/b"] as const;
const home = makeFolder();
const bin = join(home, "bin");
const mark = join(home, "mark");
mkdirSync(bin);
writeFileSync(join(bin, "node"), `#!/bin/sh\n: >'${mark}'\n`);
chmodSync(join(bin, "node"), 0o755);

const pointer = fc.constantFrom(
  "demo\n",
  "demo",
  "demo\r\n",
  " demo",
  "./specs/demo",
  "gone",
  "",
  "x y",
  "../demo",
  "demo\nx",
);
/** What a shell would run, expand or take for an option, and what is not a name at all. */
const hostile = fc.constantFrom(
  "$(touch canary)",
  "`touch canary`",
  "'; touch canary #",
  '"; touch canary; "',
  "*",
  "[a-z]*",
  "..",
  "-n",
  "demo\\",
  "demo\0x",
  "\u001b[31mdemo",
  "\u202edemo",
  "CON",
  "a".repeat(5000),
);
/** What else may be in the pointer's place: nothing here may block. */
const odd = fc.constantFrom("fifo", "folder", "loop", "dangling", "device", "link-out");
const level = fc.record({
  pointer: fc.option(
    fc.oneof({ weight: 2, arbitrary: pointer }, { weight: 1, arbitrary: hostile }),
    { freq: 3 },
  ),
  odd: fc.oneof({ weight: 7, arbitrary: fc.constant(null) }, { weight: 1, arbitrary: odd }),
  settings: fc.constantFrom(null, null, null, "", "---\nspecs_dirs: [docs]\n---\n"),
  git: fc.boolean(),
  states: fc.subarray(["specs/demo", ".specify/specs/demo", "docs/demo", "specs/x y"]),
});
const fifo = join(home, "fifo");
runChild("mkfifo", [fifo]);
fillFolder(home, { "outside/pointer": "demo\n" });

function putOdd(path: string, kind: string): void {
  mkdirSync(dirname(path), { recursive: true });
  if (kind === "fifo") linkSync(fifo, path);
  else if (kind === "folder") mkdirSync(path);
  else if (kind === "loop") symlinkSync(path, path);
  else if (kind === "dangling") symlinkSync("nowhere", path);
  else if (kind === "device") symlinkSync("/dev/zero", path);
  else symlinkSync(join(home, "outside/pointer"), path);
}

const tree = fc.tuple(level, level, level);
const place = fc.constantFrom(...LEVELS);

it.each(layouts)("the gate of $plugin never keeps a run from its hook", (layout) => {
  const root = join(home, layout.id);
  const gate = join(REPOSITORY, "plugins", layout.plugin, "hooks/gate");
  const specs = layout.specsDirs.at(-1) as string;
  const inLayout = (text: string): string => text.replace(/^(\.\/)?specs\//, `$1${specs}/`);
  let wanted = 0;
  let spared = 0;
  fc.assert(
    fc.property(tree, place, fc.option(place), (levels, cwd, started) => {
      rmSync(root, { recursive: true, force: true });
      rmSync(mark, { force: true });
      levels.forEach((files, i) => {
        const folder = join(root, LEVELS[i] as string);
        fillFolder(
          folder,
          Object.fromEntries(
            files.states.map((at) => [`${inLayout(at)}/${layout.stateFile}`, "{}"]),
          ),
        );
        fillFolder(folder, { ".keep": "", ...(files.git ? { ".git/HEAD": "" } : {}) });
        if (files.pointer !== null && files.odd !== null) {
          putOdd(join(folder, pointerOf(layout)), files.odd);
        } else if (files.pointer !== null) {
          fillFolder(folder, { [pointerOf(layout)]: inLayout(files.pointer) });
        }
        if (files.settings !== null) fillFolder(folder, { [layout.settingsFile]: files.settings });
      });
      const starts = [started, cwd].filter((at) => at !== null).map((at) => join(root, at));
      const project = findProject(layout, starts);
      const found = project === undefined ? undefined : findActiveSpec(project);
      const isOn = found?.kind === "ok" && existsSync(found.spec.state);

      const { code, out, err } = runChild("/bin/sh", ["-c", `set stop; . '${gate}'`], {
        cwd: join(root, cwd),
        env: {
          PATH: `${bin}:/usr/bin:/bin`,
          ...(started === null ? {} : { CLAUDE_PROJECT_DIR: join(root, started) }),
        },
        timeout: 30_000,
      });
      expect({ code, out, err }).toEqual({ code: 0, out: "", err: "" });
      const names = readdirSync(root, { recursive: true, encoding: "utf8" });
      expect(names.filter((name) => name.includes("canary"))).toEqual([]);
      if (isOn) expect(existsSync(mark)).toBe(true);
      if (isOn) wanted++;
      else if (!existsSync(mark)) spared++;
    }),
    { numRuns: 80, seed: 7 },
  );
  // Both sides must have been tried for this to mean anything.
  expect(Math.min(wanted, spared)).toBeGreaterThan(2);
});
