import { LIMITS } from "./state.ts";

/** What a user may set in the front matter of `.claude/<plugin>.local.md`. */
export interface Settings {
  readonly enabled: boolean;
  /** Empty: the layout's own. */
  readonly specsDirs: readonly string[];
  /** Continuations in a row that may move nothing before the loop lets go. */
  readonly stallLimit: number;
}

/** Every setting, with what it does: checked by `doctor`, printed in the documentation. */
export const SETTINGS: Readonly<Record<string, string>> = {
  enabled: "false switches the plugin off in this project (true)",
  specs_dirs: "folders that hold specs; the first is the default and holds the pointer",
  stall_limit: "continuations in a row that may move nothing before the loop lets go (3)",
};

export const defaultSettings: Settings = {
  enabled: true,
  specsDirs: [],
  stallLimit: LIMITS.stalledContinuations,
};

/** Flat YAML only (scalars, inline lists, block lists): a YAML library would cost the hook its time budget. */
export function parseSettings(text: string): Settings {
  const values = parseFrontMatter(text);
  const first = (key: string): string | undefined => values.get(key)?.[0];
  const stallLimit = Number(first("stall_limit"));
  return {
    enabled: first("enabled")?.toLowerCase() !== "false",
    specsDirs: (values.get("specs_dirs") ?? []).filter((dir) => dir !== ""),
    stallLimit:
      Number.isInteger(stallLimit) && stallLimit >= 1 ? stallLimit : defaultSettings.stallLimit,
  };
}

export function parseFrontMatter(text: string): ReadonlyMap<string, readonly string[]> {
  const values = new Map<string, string[]>();
  const lines = text.replace(/^\uFEFF/, "").split(/\r?\n/);
  if (lines[0]?.trimEnd() !== "---") return values;
  let list: string[] | undefined;
  for (const line of lines.slice(1)) {
    if (/^(?:---|\.\.\.)\s*$/.test(line)) break;
    const item = /^\s*-\s+(.*)$/.exec(line);
    const pair = /^([A-Za-z_][\w-]*)\s*:(?:\s+(.*))?$/.exec(line);
    if (pair !== null) {
      list = parseValue(pair[2] ?? "");
      values.set(pair[1] as string, list);
    } else if (item !== null && list !== undefined) {
      list.push(unquote(item[1] as string));
    }
  }
  return values;
}

function parseValue(text: string): string[] {
  const value = withoutComment(text);
  if (value === "") return [];
  const inline = /^\[(.*)\]$/.exec(value);
  if (inline === null) return [unquote(value)];
  return (inline[1] as string)
    .split(",")
    .map(unquote)
    .filter((part) => part !== "");
}

function unquote(text: string): string {
  const value = withoutComment(text);
  const quoted = /^(["'])(.*)\1$/.exec(value);
  return quoted === null ? value : (quoted[2] as string);
}

const withoutComment = (text: string): string =>
  /^\s*["'[]/.test(text)
    ? text.replace(/(["'\]])\s+#.*$/, "$1").trim()
    : text.replace(/(?:^|\s)#.*$/, "").trim();
