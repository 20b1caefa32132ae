import { join } from "node:path";
import { type Fields, fieldsOf, parseFields } from "../agents/json.ts";
import { type FileText, readText } from "../store/read.ts";
import { formatRaw, isObject } from "../text/schema.ts";
import type { InstallStep } from "./setup.ts";

const readSettingsText = (path: string): FileText => readText(path, 4 << 20);

/** An object, empty if there is no file; `"broken"` for anything else. */
export function readJson(path: string): unknown {
  const file = readSettingsText(path);
  if (file.kind === "absent") return {};
  return (file.kind === "ok" && parseFields(file.text)) || "broken";
}

export const objectAt = (value: unknown, key: string): Fields => fieldsOf(fieldsOf(value)[key]);

/** One part of several files, of which the last wins: what the user enables, a project may disable. */
export const readMerged = (files: readonly string[], key: string): Fields =>
  Object.assign({}, ...files.map((file) => objectAt(readJson(file), key))) as Fields;

interface Setting {
  readonly key: string;
  readonly value: number | boolean;
  /** The object at the top that it is in, if it is in one. */
  readonly inside?: string | undefined;
}

/** Adds a setting to a file of the project; a file that does not allow that is for the user to change. */
export function settingStep(
  root: string,
  path: string,
  setting: Setting,
  why: string,
): InstallStep {
  const text = addSetting(join(root, path), setting);
  if (text !== undefined) return { kind: "file", path, text, why };
  const { key, value, inside } = setting;
  const name = inside === undefined ? key : `${inside}.${key}`;
  const what = `add ${name}: ${value} to ${path} yourself: it has something else there, or is not plain JSON`;
  return { kind: "by-hand", what, why };
}

/**
 * The text of a file of settings with one more in it, at the top or in one of its objects. Undefined if the file does
 * not allow that: then it is for the user to do. Every other character stays: a client may know more than JSON does,
 * for example larger numbers.
 */
function addSetting(file: string, setting: Setting): string | undefined {
  const old = readSettingsText(file);
  const { key, value, inside } = setting;
  if (old.kind === "absent")
    return formatRaw(inside === undefined ? { [key]: value } : { [inside]: { [key]: value } });
  if (old.kind === "unreadable" || old.encoding !== "utf8") return undefined;
  return insertSetting(old.text, setting);
}

export function insertSetting(text: string, { key, value, inside }: Setting): string | undefined {
  const settings = parseFields(text);
  if (settings === undefined) return undefined;
  const member = `${JSON.stringify(key)}: ${value}`;
  const top = text.indexOf("{") + 1;
  if (inside === undefined) return insertAt(text, top, member);
  if (!Object.hasOwn(settings, inside))
    return insertAt(text, top, `${JSON.stringify(inside)}: { ${member} }`);
  if (!isObject(settings[inside])) return undefined;
  return insertAt(text, findObject(text, inside), member);
}

/** As the first member, set off like the one that was first before. */
function insertAt(text: string, place: number, member: string): string {
  const [space = ""] = /^\s*/.exec(text.slice(place)) ?? [];
  const isEmpty = text[place + space.length] === "}";
  const rest = isEmpty ? text.slice(place) : `,${space || " "}${text.slice(place + space.length)}`;
  return `${text.slice(0, place)}${isEmpty ? "" : space}${member}${rest}`;
}

/** A string that is not closed goes to the end. */
const TOKEN = /"[^"\\]*(?:\\[\s\S][^"\\]*)*(?:"|\\?$)|[{}[\]:]/g;

/** Where the object begins that a key at the top has: if the key is there twice, the last one counts. */
function findObject(text: string, key: string): number {
  let depth = 0;
  let found = 0;
  let before: readonly string[] = [];
  for (const { 0: token, index } of text.matchAll(TOKEN)) {
    const [name = "", colon] = before;
    if (token === "{" && depth === 1 && colon === ":" && JSON.parse(name) === key)
      found = index + 1;
    if (/[{[]/.test(token[0] as string)) depth++;
    else if (/[}\]]/.test(token[0] as string)) depth--;
    before = [before.at(-1) ?? "", token];
  }
  return found;
}
