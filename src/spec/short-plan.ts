import { readMarkdown } from "../text/markdown.ts";
import { readSections, simplifyTitle } from "../text/sections.ts";

/** Sections that only the one planning document of the short way has. */
const OWN = ["Design", "Quality Commands"];

/** Whether a document is the only one that plans: it holds the design too. */
export function isShortPlan(text: string): boolean {
  const titles = new Set(readSections(readMarkdown(text)).map(({ title }) => simplifyTitle(title)));
  return OWN.every((title) => titles.has(title));
}
