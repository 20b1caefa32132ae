import { lstatSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Edition } from "../../src/layouts/layout.ts";
import { pointerOf } from "../program/support.ts";

/** What a file holds before a stop: text, a link to somewhere, or nothing at all. */
type Content = string | null | { readonly link: string };

interface Words {
  readonly contains?: readonly string[];
  readonly lacks?: readonly string[];
  readonly matches?: readonly string[];
  readonly empty?: true;
}

type FileWish =
  | "exists"
  | "absent"
  | "unchanged"
  | { readonly json: Readonly<Record<string, unknown>> }
  | Words;

export interface Expected {
  readonly decision?: "allow" | "block";
  readonly silent?: true;
  readonly stdout?: Words;
  readonly stderr?: Words;
  readonly reason?: Words;
  readonly systemMessage?: Words;
  readonly files?: Readonly<Record<string, FileWish>>;
}

/** How a run comes to be: what lies there, and what the user types. Session null: at a terminal, in no session. */
export interface Begin {
  readonly files?: Stop["files"];
  readonly state?: Stop["state"];
  readonly type?: readonly string[];
  readonly session?: string | null;
}

/** One stop: what is on disk changes first, then the hook is run. */
export interface Stop {
  readonly files?: Readonly<Record<string, Content>>;
  readonly ages?: Readonly<Record<string, number>>;
  readonly state?: Readonly<Record<string, unknown>>;
  readonly stdin?: string;
  readonly event?: Readonly<Record<string, unknown>>;
  readonly without?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  readonly cwd?: string;
  readonly repeat?: number;
  readonly expect: Expected;
}

export interface StopCase extends Stop {
  readonly name: string;
  readonly why: string;
  readonly layouts?: readonly Edition["id"][];
  /** Null: nobody began anything on this machine. */
  readonly begin?: Begin | null;
  readonly then?: readonly Stop[];
}

export interface Base {
  readonly files: Readonly<Record<string, string>>;
  readonly state: Readonly<Record<string, unknown>>;
  readonly event: Readonly<Record<string, unknown>>;
  readonly env: Readonly<Record<string, string>>;
}

const FOLDER = join(import.meta.dirname, "stop");
const parse = (name: string): unknown => JSON.parse(readFileSync(join(FOLDER, name), "utf8"));

export const base = parse("base.json") as Base;

/** Every group of cases, by the name of its file. */
export const groups: readonly (readonly [name: string, cases: readonly StopCase[]])[] = readdirSync(
  FOLDER,
)
  .filter((name) => name.endsWith(".json") && name !== "base.json")
  .map((name) => [name.slice(0, -".json".length), parse(name) as StopCase[]]);

export interface Place {
  readonly root: string;
  readonly outside: string;
}

/** What the names in braces stand for. Other braces, as in a template or in JSON, stay as they are. */
export function namesOf(
  layout: Edition,
  { root, outside }: Place,
): Readonly<Record<string, string>> {
  const [specs] = layout.specsDirs;
  return {
    root,
    outside,
    pointer: pointerOf(layout),
    specs,
    spec: `${specs}/demo`,
    state: layout.stateFile,
    journal: layout.journalFile,
    settings: layout.settingsFile,
    user: `../.config/smart-ralph/${layout.plugin}.md`,
    plugin: layout.plugin,
    brand: layout.voice.brand,
    unit: layout.unit,
  };
}

/** Fills the names into every text of a case, keys included. */
export function fillNames<T>(value: T, names: Readonly<Record<string, string>>): T {
  if (typeof value === "string") {
    return value.replace(/\{(\w+)\}/g, (whole, name: string) => names[name] ?? whole) as T;
  }
  if (Array.isArray(value)) return value.map((item: unknown) => fillNames(item, names)) as T;
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [fillNames(key, names), fillNames(item, names)]),
  ) as T;
}

/** Every file below a folder with its text, links not followed: equal snapshots, and nothing was written. */
export function readTree(folder: string): Readonly<Record<string, string>> {
  const tree: Record<string, string> = {};
  for (const entry of readdirSync(folder, { recursive: true }) as string[]) {
    const path = join(folder, entry);
    const stat = lstatSync(path);
    tree[path] = stat.isFile() ? readFileSync(path, "utf8") : stat.isDirectory() ? "/" : "@";
  }
  return tree;
}
