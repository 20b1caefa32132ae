import { isObject } from "../text/schema.ts";

/** How a template of a preset relates to the one that would be used without it. */
const STRATEGIES = ["replace", "prepend", "append", "wrap"] as const;
type Strategy = (typeof STRATEGIES)[number];

export interface TemplateLayer {
  readonly text: string;
  readonly strategy: Strategy;
}

/** Stands for the rest in a template that wraps it. */
const CORE = "{CORE_TEMPLATE}";

/** Nobody fills in more. A few that wrap each other, with many places for the rest, could be longer than memory. */
export const MAX_TEMPLATE = 256 << 10;

/**
 * Layers from the first that counts to the last; one that adds something needs one that it adds to. One that would make
 * the whole too long is left out.
 */
export function composeTemplate(layers: readonly TemplateLayer[]): string | undefined {
  const base = layers.findIndex(({ strategy }) => strategy === "replace");
  if (base === -1) return undefined;
  return layers
    .slice(0, base)
    .reduceRight((text, layer) => addLayer(text, layer), layers[base]?.text);
}

function addLayer(text = "", { text: own, strategy }: TemplateLayer): string {
  const places = strategy === "wrap" ? own.split(CORE).length - 1 : 1;
  if (own.length + places * text.length > MAX_TEMPLATE) return text;
  switch (strategy) {
    case "prepend":
      return `${own}\n\n${text}`;
    case "append":
      return `${text}\n\n${own}`;
    case "wrap":
      return own.includes(CORE) ? own.replaceAll(CORE, () => text) : text;
    case "replace":
      return own;
  }
}

/** What a preset's manifest says about a template. Undefined if it says nothing, or nothing that can be used. */
export function parseTemplateEntry(
  manifest: Readonly<Record<string, unknown>>,
  name: string,
): { readonly file: string; readonly strategy: Strategy } | undefined {
  const { provides } = manifest;
  const listed = isObject(provides) ? (provides as Record<string, unknown>)["templates"] : [];
  const entries = Array.isArray(listed) ? (listed as readonly unknown[]) : [];
  for (const entry of entries) {
    if (!isObject(entry)) continue;
    const {
      type = "template",
      name: of,
      file,
      strategy = "replace",
    } = entry as Record<string, unknown>;
    if (type !== "template" || of !== name || typeof file !== "string") continue;
    if (/^[/\\]|^[A-Za-z]:|(?:^|[/\\])\.\.(?:[/\\]|$)/.test(file)) continue;
    const known = STRATEGIES.find((one) => one === String(strategy).toLowerCase());
    return { file, strategy: known ?? "replace" };
  }
  return undefined;
}

const ID = /^[a-z0-9-]+$/;
const DEFAULT_PRIORITY = 10;

/** Ids by priority, the lowest number first. Those that a registry turns off are left out, unknown folders are not. */
export function orderByPriority(
  registry: Readonly<Record<string, unknown>>,
  folders: readonly string[],
): string[] {
  const known = Object.entries(registry).flatMap(([id, about]) => {
    if (!isObject(about)) return [];
    const { enabled = true, priority } = about as Record<string, unknown>;
    return enabled ? [{ id, priority: priorityOf(priority) }] : [];
  });
  const others = folders
    .filter((id) => !Object.hasOwn(registry, id))
    .map((id) => ({ id, priority: DEFAULT_PRIORITY }));
  return [...known, ...others]
    .filter(({ id }) => ID.test(id))
    .sort((a, b) => a.priority - b.priority || (a.id < b.id ? -1 : 1))
    .map(({ id }) => id);
}

function priorityOf(said: unknown): number {
  const priority = typeof said === "boolean" ? Number.NaN : Number(said ?? DEFAULT_PRIORITY);
  return Number.isSafeInteger(priority) && priority >= 1 ? priority : DEFAULT_PRIORITY;
}
