import { join } from "node:path";
import { addNote, formatExternal, parseExternal, parseUrl, slugOf } from "../codemap/external.ts";
import {
  externalFolder,
  readIndex,
  readIndexText,
  writeIndexFile,
} from "../codemap/index-files.ts";
import type { Project } from "../store/project.ts";
import { shownPath } from "../store/spec.ts";
import { planIndexFiles, writeIndexFiles } from "./make-index.ts";
import { Refusal } from "./refusal.ts";
import type { Request } from "./request.ts";

export interface RecordedSource {
  readonly url: string;
  readonly path: string;
  readonly written: boolean;
  readonly verdict: string;
}

/** Records a source outside the project below `.index/external`. Nothing is fetched. */
export function recordExternal(
  request: Request,
  project: Project,
  { url: text, note, isDry }: { url: string; note: string; isDry: boolean },
): RecordedSource {
  const parsed = parseUrl(text);
  if (parsed.kind === "refused")
    throw new Refusal("usage", `--external: this ${parsed.why}`, "give an https address");
  const { url } = parsed;
  const { path, old } = placeFor(project, url);
  const isNoted = note === "" || old.includes(`- ${note}\n`);
  const next =
    old === "" ? formatExternal(url, note, request.now().at) : isNoted ? old : addNote(old, note);
  const isWritten = next !== old && !isDry;
  if (isWritten) writeIndexFile(project, path, next);
  const index = isWritten ? readIndex(project) : undefined;
  if (index !== undefined) writeIndexFiles(project, planIndexFiles(project, index, false));
  const shown = shownPath(project, path);
  const verdict =
    next === old ? "is already in" : isDry ? "would be recorded in" : "is recorded in";
  return { url, path: shown, written: isWritten, verdict };
}

/** Two addresses may give the same name: then the later one gets a number. */
function placeFor(project: Project, url: string): { path: string; old: string } {
  for (let n = 1; ; n++) {
    const name = `${slugOf(url)}${n === 1 ? "" : `-${n}`}.md`;
    const path = join(externalFolder(project), name);
    const old = readIndexText(project, path);
    if (old === "" || parseExternal(name, old).url === url) return { path, old };
  }
}
