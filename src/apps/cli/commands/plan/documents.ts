import { basename } from "node:path";
import { checkDocumentOf, lineOf } from "../../../../engine/check-documents.ts";
import { templateFor } from "../../../../engine/document-template.ts";
import { Refusal } from "../../../../engine/refusal.ts";
import { resolveOrBeginProject } from "../../../../engine/resolve-spec.ts";
import { CONSTITUTION } from "../../../../layouts/layout.ts";
import { documentsOf } from "../../../../prompts/documents.ts";
import {
  type DocumentPlace,
  hasDocument,
  isFolderName,
  memoryFolder,
} from "../../../../store/documents.ts";
import type { Project } from "../../../../store/project.ts";
import { counted } from "../../../../text/wording.ts";
import type { Command, Context, Input } from "../../command.ts";
import { specOf } from "../../named-spec.ts";
import { paint } from "../../paint.ts";

export const template: Command = {
  summary: "print a document's template, with what is known filled in",
  args: ["<document>"],
  run(context, input) {
    const { place, document, name } = openDocument(context, input, input.args[0] as string);
    const { text, own } = templateFor(place, document, context.now().at.slice(0, 10));
    const json = { spec: name, document, own, text };
    return { text, json, verbatim: true };
  },
};

export const check: Command = {
  summary: "whether the spec's documents are complete: sections, placeholders, coverage",
  args: ["[document]"],
  details: "Without a document: all that exist. Exits with 1 if something is missing.",
  run(context, input) {
    const { bad, good, dim } = paint(context.colour);
    const { place, name, documents } = openDocuments(context, input);
    const findings = documents.flatMap((document) => checkDocumentOf(place, document));
    const text =
      findings.length === 0
        ? `${good("✓")} ${documents.join(", ")}: complete`
        : [
            ...findings.map((finding) => `${bad("✗")} ${lineOf(finding)}`),
            dim(`${counted(findings.length, "finding")} in ${documents.join(", ")}`),
          ].join("\n");
    return {
      ok: findings.length === 0,
      text,
      json: { spec: name, documents, findings },
    };
  },
};

function openDocuments(context: Context, input: Input) {
  const [wanted] = input.args;
  if (wanted !== undefined) {
    const { document, ...found } = openDocument(context, input, wanted);
    return { ...found, documents: [document] };
  }
  const spec = specOf(context, input);
  const documents = spec.project.layout.phases
    .map(({ document }) => document)
    .filter((document) => hasDocument(spec, document));
  if (documents.length > 0) return { place: spec, name: spec.name, documents };
  throw new Refusal("missing", `${spec.basePath} has no documents yet`);
}

/** Of a spec, or of the project: a constitution is written before there is any feature. */
function openDocument(context: Context, input: Input, word: string) {
  const project = resolveOrBeginProject(context);
  if (documentNamed(project, word) === CONSTITUTION) {
    const place: DocumentPlace = memoryFolder(project);
    return { place, document: CONSTITUTION, name: basename(project.root) };
  }
  const spec = specOf(context, input);
  const document = documentNamed(spec.project, word);
  return { place: spec, document, name: spec.name };
}

/** `design` and `./specs/x/design.md` mean design.md; `specs` and `specs/login/spec.md` mean `specs/`. */
function documentNamed({ layout }: Project, word: string): string {
  const folders = documentsOf(layout).filter(isFolderName);
  const folder = folders.find((one) => `/${word}/`.replaceAll("\\", "/").includes(`/${one}`));
  if (folder !== undefined && !/\/(?!spec\.md$)[^/]+\.md$/.test(word)) return folder;
  const base = word.split(/[/\\]/).at(-1) as string;
  const name = base.endsWith(".md") ? base : `${base}.md`;
  const known = documentsOf(layout);
  if (known.includes(name)) return name;
  throw new Refusal("usage", `there is no document "${word}"`, `there are: ${known.join(", ")}`);
}
