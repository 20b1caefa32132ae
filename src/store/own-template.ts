import { join } from "node:path";
import {
  composeTemplate,
  MAX_TEMPLATE,
  orderByPriority,
  parseTemplateEntry,
  type TemplateLayer,
} from "../spec/template-layers.ts";
import { isObject } from "../text/schema.ts";
import { parseYaml } from "../text/yaml.ts";
import { readObject } from "./peer-options.ts";
import { readProjectFile } from "./project-file.ts";
import type { Project } from "./project.ts";
import { entriesIn } from "./read.ts";

/**
 * The project's own template of a document: its overrides, then presets and extensions by their priority, then those
 * that the layout's own tool has installed. A preset may also add to what comes after it.
 */
export function readOwnTemplate(project: Project, document: string): string | undefined {
  const { templates } = project.layout;
  if (templates === undefined) return undefined;
  const name = document.replace(/\.md$/, "-template");
  const layers: TemplateLayer[] = [];
  for (const find of [
    () => inFolders(project, [`${templates.core}/overrides`], name),
    ...namesIn(project, templates.presets, "presets").map(
      (id) => () => inPreset(project, `${templates.presets}/${id}`, name),
    ),
    ...namesIn(project, templates.extensions, "extensions").map(
      (id) => () => inFolders(project, placesIn(`${templates.extensions}/${id}`), name),
    ),
    () => inFolders(project, [templates.core], name),
  ]) {
    const layer = find();
    if (layer !== undefined) layers.push(layer);
    // Whatever comes after a whole template is not used.
    if (layer?.strategy === "replace") break;
  }
  return composeTemplate(layers);
}

const placesIn = (folder: string): string[] => [`${folder}/templates`, folder];

function inFolders(
  project: Project,
  folders: readonly string[],
  name: string,
): TemplateLayer | undefined {
  const text = folders
    .map((folder) => readTemplate(project, `${folder}/${name}.md`))
    .find((one) => one !== undefined);
  return text === undefined ? undefined : { text, strategy: "replace" };
}

/** Its manifest says which file it is, and what becomes of the templates after it. */
function inPreset(project: Project, folder: string, name: string): TemplateLayer | undefined {
  const entry = parseTemplateEntry(readObject(project, `${folder}/preset.yml`, parseYaml), name);
  if (entry === undefined) return inFolders(project, placesIn(folder), name);
  const text = readTemplate(project, `${folder}/${entry.file}`);
  return text === undefined ? undefined : { text, strategy: entry.strategy };
}

function readTemplate(project: Project, path: string): string | undefined {
  const file = readProjectFile(project, join(project.root, path), MAX_TEMPLATE);
  return file.kind === "ok" && file.text.trim() !== "" ? file.text : undefined;
}

/** What is installed there, as its registry orders it. Of extensions, folders that it does not list count too. */
function namesIn(project: Project, folder: string, key: "presets" | "extensions"): string[] {
  const registry = readObject(project, `${folder}/.registry`, JSON.parse);
  const isComplete = key === "presets" && Object.keys(registry).length > 0;
  const listed = registry[key];
  return orderByPriority(
    isObject(listed) ? listed : {},
    isComplete ? [] : foldersIn(join(project.root, folder)),
  );
}

function foldersIn(folder: string): string[] {
  return entriesIn(folder)
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => name);
}
