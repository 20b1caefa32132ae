import { existsSync, mkdirSync, realpathSync } from "node:fs";
import { join } from "node:path";
import * as fc from "fast-check";
import type { Edition } from "../../src/layouts/layout.ts";
import { openProject } from "../../src/store/project.ts";
import { layouts } from "../support/editions.ts";
import * as files from "./files.ts";
import { type Slot, slotOf, type Stage } from "./place.ts";
import { text } from "./texts.ts";

/** A project that nobody in their right mind would have. */
export interface HostileProject {
  readonly layout: Edition["id"];
  readonly name: string;
  /** Undefined: it names the spec. Behind a wrong pointer nothing else is looked at. */
  readonly pointer: Slot | null | undefined;
  readonly settings: Slot | null;
  readonly state: Slot | null;
  readonly journal: Slot | null;
  readonly tasks: Slot | null;
  readonly progress: Slot | null;
  readonly lock: Slot | null;
  readonly git: Slot | null;
  /** Where the spec's folder leads, if it is a link. */
  readonly link: string | null;
  /** Whether the run was begun on this machine, and came to be like this later. */
  readonly known: boolean;
}

const NAMES = [
  "x y",
  "a'b",
  'a"b',
  "$(touch canary)",
  "`id`",
  "a\nb",
  "\u001b[31mred",
  "\u202eevil",
  "\u061cevil",
  "\u009b2J",
  "CON",
  "nul",
  "a".repeat(255),
  "a".repeat(300),
  "-rf",
  "__proto__",
  "é🎉",
  "a\\b",
  "{{program}}",
];

const pointerText = fc.oneof(
  {
    weight: 2,
    arbitrary: fc.constantFrom(
      "../outside/specs/demo",
      "./../outside/specs/demo",
      "./specs/../../outside/specs/demo",
      "/etc",
      "/",
      ".",
      "..",
      "./",
      "./specs/demo",
      "demo\r\n",
      "demo\0",
      "demo\n\n",
      "specs/demo",
      "C:\\specs\\demo",
      "demo/../demo",
    ),
  },
  { weight: 1, arbitrary: text },
);

const rarely = <T>(one: fc.Arbitrary<T>, freq: number): fc.Arbitrary<T | null> =>
  fc.oneof({ weight: freq, arbitrary: fc.constant(null) }, { weight: 1, arbitrary: one });

export const projects: fc.Arbitrary<HostileProject> = fc.record({
  layout: fc.constantFrom(...layouts.map(({ id }) => id)),
  name: fc.oneof(
    { weight: 5, arbitrary: fc.constant("demo") },
    { weight: 1, arbitrary: fc.constantFrom(...NAMES) },
  ),
  pointer: fc.oneof(
    { weight: 6, arbitrary: fc.constant(undefined) },
    { weight: 1, arbitrary: slotOf(pointerText) },
  ),
  settings: rarely(slotOf(files.settings), 6),
  state: slotOf(files.state, 2 << 20),
  journal: slotOf(files.journal, 100 << 20),
  tasks: slotOf(files.tasks, 65 << 20),
  progress: rarely(slotOf(text, 17 << 20), 3),
  lock: rarely(fc.constantFrom({ kind: "locked" as const }, { kind: "loop" as const }), 20),
  git: rarely(
    slotOf(fc.constantFrom("gitdir: ../outside", "gitdir: /dev/zero", "gitdir: x", "")),
    10,
  ),
  link: rarely(
    fc.constantFrom("../../outside/specs/demo", "../../../outside/specs/demo", "demo", "../real"),
    15,
  ),
  known: fc.boolean(),
});

export const layoutOf = ({ layout }: HostileProject): Edition =>
  layouts.find(({ id }) => id === layout) as Edition;

/** Whether the user has said that specs are outside the project: then what is there may be written. */
export function isConfiguredOut({ root, outside }: Stage, project: HostileProject): boolean {
  const { specsDirs } = openProject(layoutOf(project), root);
  return specsDirs.some(
    (folder) => `${outside}/`.startsWith(`${folder}/`) || folder.startsWith(outside),
  );
}

/** Puts it on the stage, in the place of the last one. */
export function putProject(stage: Stage, project: HostileProject): void {
  const { root, put, clear } = stage;
  const layout = layoutOf(project);
  const [specs] = layout.specsDirs;
  const folder = join(root, specs, project.name);
  clear();
  const own: Slot = { kind: "bytes", text: project.name, encoding: "utf8" };
  const pointerIn = layout.pointerIn === "specs-dir" ? specs : layout.pointerIn;
  put(join(root, pointerIn, layout.pointer), project.pointer === undefined ? own : project.pointer);
  put(join(root, layout.settingsFile), project.settings);
  put(join(root, ".git"), project.git);
  put(join(root, "src/keep.txt"), { kind: "bytes", text: "keep", encoding: "utf8" });
  if (project.link !== null) put(folder, { kind: "link", to: project.link });
  const home = project.link === null ? folder : join(root, "specs/real");
  put(join(home, layout.stateFile), project.state);
  put(join(home, layout.journalFile), project.journal);
  put(join(home, "tasks.md"), project.tasks);
  put(join(home, ".progress.md"), project.progress);
  put(join(home, layout.lockFile), project.lock);
  if (project.known) know(stage, project, folder);
}

/** The record of a run, with the journal in the project as the one that counts. */
function know({ vault, put }: Stage, project: HostileProject, folder: string): void {
  if (!existsSync(folder)) return;
  const { id } = layoutOf(project);
  const at = (name: string): string => join(vault, "at", realpathSync(folder), `.${id}-${name}`);
  mkdirSync(vault, { recursive: true, mode: 0o700 });
  put(at("run.json"), { kind: "bytes", text: '{"token":"t"}', encoding: "utf8" });
  put(at("journal.jsonl"), project.journal);
}
