import { clean } from "../text/template.ts";

/** A longer one is fetched: it may be the project's own. */
const MAX_TEMPLATE = 12_000;

export interface NamedTemplate {
  readonly document: string;
  readonly text: string;
}

/** Templates in a prompt: last in it, because they are the longest. */
export const renderShapes = (templates: readonly NamedTemplate[], max = MAX_TEMPLATE): string =>
  templates
    .map((template) => renderShape(template, max))
    .filter((text) => text !== "")
    .join("\n\n");

/** Nothing in it may end the fence. */
function renderShape({ document, text: template }: NamedTemplate, max: number): string {
  const text = clean(template).trim();
  if (text === "" || text.length > max) return "";
  const fence = "`".repeat(Math.max(3, ...(text.match(/`+/g) ?? []).map((run) => run.length)) + 1);
  return `Template of ${document}:\n\n${fence}markdown\n${text}\n${fence}`;
}
