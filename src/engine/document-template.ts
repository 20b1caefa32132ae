import { type Phase, worksItself } from "../layouts/layout.ts";
import { renderTemplate } from "../prompts/documents.ts";
import { fillOwnTemplate } from "../prompts/own-template.ts";
import type { NamedTemplate } from "../prompts/shapes.ts";
import { type DocumentPlace, hasDocument } from "../store/documents.ts";
import type { Spec } from "../store/spec.ts";
import { ownTemplateOf, readTemplateFacts } from "./spec-facts.ts";

/** For a main agent that writes the document itself: its prompt holds the template. */
export const ownTemplates = (spec: Spec, { document }: Phase, date: string): NamedTemplate[] =>
  worksItself(spec.project.layout) && !hasDocument(spec, document)
    ? [{ document, text: templateFor(spec, document, date).text }]
    : [];

/** A document's template with what is known filled in: the project's own, or ours. Empty if there is none. */
export function templateFor(
  place: Spec | DocumentPlace,
  document: string,
  date: string,
): { readonly text: string; readonly own: boolean } {
  const { layout } = place.project;
  const facts = readTemplateFacts(place, date);
  const own = ownTemplateOf(place, document, facts);
  return own === undefined
    ? { text: renderTemplate(layout, document, facts), own: false }
    : { text: fillOwnTemplate(layout, own, document, facts), own: true };
}
