import { documentsOf, renderTemplate } from "../../prompts/documents.ts";
import { hasDocument, readOwnTemplate } from "../../store/documents.ts";
import type { Spec } from "../../store/spec.ts";
import { checkDocumentOf, lineOf } from "../check.ts";
import { CliError, type Command, EXIT } from "../command.ts";
import { readKnown } from "../facts.ts";
import { openSpec } from "../open.ts";
import { paint } from "../paint.ts";

export const template: Command = {
  name: "template",
  summary: "print a document's template, with what is known filled in",
  args: ["<document>"],
  group: "agent",
  run(context, input) {
    const spec = openSpec(context, input);
    const { project } = spec;
    const document = documentNamed(spec, input.args[0] as string);
    const own = readOwnTemplate(project, document);
    const known = readKnown(spec, context.now().at.slice(0, 10));
    const text = own ?? renderTemplate(project.layout, document, known);
    return { text, json: { ok: true, spec: spec.name, document, own: own !== undefined, text } };
  },
};

export const check: Command = {
  name: "check",
  summary: "whether the spec's documents are complete: sections, placeholders, coverage",
  args: ["[document]"],
  group: "look",
  details: "Without a document: every one that is there. Exits with 1 if something is missing.",
  run(context, input) {
    const spec = openSpec(context, input);
    const { bad, good, dim } = paint(context.colour);
    const [wanted] = input.args;
    const documents =
      wanted === undefined
        ? spec.project.layout.phases
            .map(({ document }) => document)
            .filter((document) => hasDocument(spec, document))
        : [documentNamed(spec, wanted)];
    if (documents.length === 0) {
      throw new CliError(EXIT.missing, `${spec.basePath} has no documents yet`);
    }
    const findings = documents.flatMap((document) => checkDocumentOf(spec, document));
    const text =
      findings.length === 0
        ? `${good("✓")} ${documents.join(", ")}: complete`
        : [
            ...findings.map((finding) => `${bad("✗")} ${lineOf(finding)}`),
            dim(`${findings.length} findings in ${documents.join(", ")}`),
          ].join("\n");
    return {
      code: findings.length === 0 ? EXIT.ok : EXIT.refused,
      text,
      json: { ok: findings.length === 0, spec: spec.name, documents, findings },
    };
  },
};

/** `design` and `./specs/x/design.md` mean design.md. */
function documentNamed(spec: Spec, word: string): string {
  const base = word.split(/[/\\]/).at(-1) as string;
  const name = base.endsWith(".md") ? base : `${base}.md`;
  const known = documentsOf(spec.project.layout);
  if (known.includes(name)) return name;
  throw new CliError(
    EXIT.usage,
    `there is no document "${word}"`,
    `there are: ${known.join(", ")}`,
  );
}
