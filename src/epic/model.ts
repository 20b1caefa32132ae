import { explainBadName } from "../spec/name.ts";
import { formatCycle } from "../tasks/order/cycles.ts";
import * as s from "../text/schema.ts";
import { findEpicCycles } from "./order.ts";

const status = s.oneOf("pending", "in_progress", "completed", "cancelled");
type SpecValues = s.ValuesOf<typeof specFields>;
export type EpicStatus = SpecValues["status"];

/** As older versions wrote it. As in the state, unknown fields are kept. */
const specFields = {
  name: s.field(s.string, "The spec's name."),
  status: s.field(status, "What was recorded last; the files on disk override it."),
  dependencies: s.field(s.listOf(s.string), "Names of the specs that have to be done before."),
  goal: s.field(s.string, "What the spec is for. Older versions say it only in epic.md."),
  size: s.field(s.string, "How large it is: S, M or L."),
};

const epicFields = {
  name: s.field(s.string, "The epic's name."),
  goal: s.field(s.string, "The large goal, in the user's words."),
};

type Later = "goal" | "size";
export type EpicSpec = Omit<SpecValues, Later> & Partial<Pick<SpecValues, Later>>;

/** The fields are a view of `raw`, which is what gets written: nothing that others put there is lost. */
export interface Epic extends s.ValuesOf<typeof epicFields> {
  readonly specs: readonly EpicSpec[];
  readonly raw: s.Raw;
}

export type EpicFile =
  | { readonly kind: "absent" }
  | { readonly kind: "corrupt"; readonly why: string }
  | { readonly kind: "ok"; readonly epic: Epic };

export function parseEpic(text: string): EpicFile {
  const file = s.parseRaw(text.replace(/^\uFEFF/, ""));
  if (file.kind === "corrupt") return file;
  const why = whyCorrupt(file.raw["specs"] ?? []);
  return why === undefined
    ? { kind: "ok", epic: viewOf(file.raw) }
    : { kind: "corrupt", why: `in it ${why}` };
}

export const formatEpic = (epic: Epic): string => s.formatRaw(epic.raw);

/** A half-understood list of specs would unblock specs that have to wait. */
function whyCorrupt(specs: unknown): string | undefined {
  if (!Array.isArray(specs)) return "the specs are not a list";
  const names = new Set<string>();
  for (const [i, spec] of specs.entries()) {
    const name = s.isObject(spec) ? spec["name"] : undefined;
    if (!s.string.is(name) || name === "") return `spec number ${i + 1} has no name`;
    if (names.has(name)) return `there are two specs ${JSON.stringify(name)}`;
    names.add(name);
    if (!specFields.dependencies.kind.is((spec as s.Raw)["dependencies"] ?? []))
      return `the dependencies of ${JSON.stringify(name)} are not a list of names`;
  }
  return undefined;
}

const entriesOf = (raw: s.Raw): readonly s.Raw[] => (raw["specs"] ?? []) as s.Raw[];

function viewOf(raw: s.Raw): Epic {
  const specs = entriesOf(raw).map((entry) => {
    const { name = "", ...read } = s.readFields(specFields, entry);
    return { status: "pending", ...read, name, dependencies: read.dependencies ?? [] } as const;
  });
  return { name: "", goal: "", ...s.readFields(epicFields, raw), specs, raw };
}

export const beginEpic = (name: string, goal: string): Epic => viewOf({ name, goal, specs: [] });

/** A spec to add to an epic. */
export interface NewSpec {
  readonly name: string;
  readonly goal: string;
  readonly dependencies: readonly string[];
  readonly size?: string | undefined;
}

export type EpicChange =
  | { readonly kind: "refused"; readonly why: string; readonly fix: string }
  | { readonly kind: "changed"; readonly epic: Epic };

/** A dependency may be added after what waits for it; only a cycle can never be resolved. */
export function planAdd(epic: Epic, wish: NewSpec): EpicChange {
  const known = new Set(epic.specs.map(({ name }) => name));
  const dependencies = [...new Set(wish.dependencies)];
  for (const name of [wish.name, ...dependencies]) {
    const wrong = known.has(name) ? undefined : explainBadName(name);
    if (wrong !== undefined) return { kind: "refused", ...wrong };
  }
  if (known.has(wish.name))
    return refuse(`the epic already has a spec "${wish.name}"`, "give the new one another name");
  if (dependencies.includes(wish.name))
    return refuse(`"${wish.name}" cannot depend on itself`, "leave it out of its dependencies");
  const { name, goal, size } = wish;
  const added = withSpecs(epic, [
    ...entriesOf(epic.raw),
    { name, goal, ...(size === undefined ? {} : { size }), status: "pending", dependencies },
  ]);
  // A cycle begins at its first spec: with the new one first, its own cycle begins with it.
  const [cycle] = findEpicCycles([{ name, dependencies }, ...epic.specs]);
  return cycle?.[0] === name
    ? refuse(`that would create a cycle: ${formatCycle(cycle)}`, "remove one of these dependencies")
    : { kind: "changed", epic: added };
}

/** `unlink` removes it from the dependencies of the others too. */
export function planRemove(epic: Epic, name: string, unlink: boolean): EpicChange {
  if (!epic.specs.some((spec) => spec.name === name)) {
    const names = epic.specs.map((spec) => spec.name).join(", ");
    const fix = names === "" ? "it has none yet" : `it has: ${names}`;
    return refuse(`the epic has no spec "${name}"`, fix);
  }
  const isOther = (entry: s.Raw): boolean => entry["name"] !== name;
  const waiting = epic.specs.filter((spec) => spec.name !== name && waitsFor(spec, name));
  if (waiting.length > 0 && !unlink) {
    return refuse(
      `${waiting.map((spec) => spec.name).join(", ")} ${waiting.length === 1 ? "depends" : "depend"} on "${name}"`,
      "remove what depends on it first, or take it out of their dependencies with --unlink",
    );
  }
  const left = entriesOf(epic.raw).filter(isOther);
  const names = new Set(waiting.map((spec) => spec.name));
  const unlinked = left.map((entry) =>
    names.has(entry["name"] as string)
      ? { ...entry, dependencies: remove(entry["dependencies"] as string[], name) }
      : entry,
  );
  return { kind: "changed", epic: withSpecs(epic, unlinked) };
}

const waitsFor = ({ dependencies }: EpicSpec, name: string): boolean => dependencies.includes(name);
const remove = (names: readonly string[], name: string): string[] =>
  names.filter((one) => one !== name);

/** The same epic if the spec already has that status, or is not one of its specs. */
export function withStatus(epic: Epic, name: string, wanted: EpicStatus, at: string): Epic {
  if (!epic.specs.some((spec) => spec.name === name && spec.status !== wanted)) return epic;
  const specs = entriesOf(epic.raw).map((entry) =>
    entry["name"] === name ? { ...entry, status: wanted, statusAt: at } : entry,
  );
  return withSpecs(epic, specs);
}

const withSpecs = (epic: Epic, specs: readonly s.Raw[]): Epic => viewOf({ ...epic.raw, specs });

const refuse = (why: string, fix: string): EpicChange => ({ kind: "refused", why, fix });
