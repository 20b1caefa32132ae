import { isObject } from "../text/schema.ts";
import { readSettingsText } from "./claude/client-settings.ts";
import { json } from "./generated.ts";
import type { InstallStep } from "./setup.ts";

/**
 * The text of a file of settings with one more in it, at the top or in one of its objects. Undefined if the file does
 * not allow that: then it is for the user to do. Every other character stays: a client may know more than JSON does,
 * for example larger numbers.
 */
export function addSetting(
  file: string,
  key: string,
  value: number | boolean,
  inside?: string,
): string | undefined {
  const old = readSettingsText(file);
  if (old.kind === "absent")
    return json(inside === undefined ? { [key]: value } : { [inside]: { [key]: value } });
  if (old.kind === "unreadable" || old.encoding !== "utf8") return undefined;
  return insertSetting(old.text, key, value, inside);
}

export const settingByHand = (path: string, setting: string, why: string): InstallStep => ({
  kind: "by-hand",
  what: `add ${setting} to ${path} yourself: it has something else there, or is not plain JSON`,
  why,
});

export function insertSetting(
  text: string,
  key: string,
  value: number | boolean,
  inside?: string,
): string | undefined {
  const settings = parse(text);
  if (!isObject(settings)) return undefined;
  const member = `${JSON.stringify(key)}: ${value}`;
  const top = text.indexOf("{") + 1;
  if (inside === undefined) return insertAt(text, top, member);
  if (!Object.hasOwn(settings, inside))
    return insertAt(text, top, `${JSON.stringify(inside)}: { ${member} }`);
  if (!isObject(settings[inside])) return undefined;
  return insertAt(text, findObject(text, inside), member);
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
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
