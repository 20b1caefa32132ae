import { checkDocumentOf, lineOf } from "../../../../engine/check-documents.ts";
import { resolveProject } from "../../../../engine/resolve-spec.ts";
import { questionsIn, readFacts } from "../../../../engine/spec-facts.ts";
import { standingOf } from "../../../../engine/standing.ts";
import { traceSpec } from "../../../../engine/trace-spec.ts";
import { EXECUTION } from "../../../../layouts/layout.ts";
import { inferPhase, phaseNamed } from "../../../../layouts/phases.ts";
import type { State } from "../../../../run/state.ts";
import { describeChecklist, nextItemId } from "../../../../spec/checklists.ts";
import { readChecklists } from "../../../../store/checklists.ts";
import { findNamedSpec } from "../../../../store/current-spec.ts";
import { hasDocument, readPhases } from "../../../../store/documents.ts";
import { readState } from "../../../../store/spec-files.ts";
import type { Spec } from "../../../../store/spec.ts";
import { quoteName, quotePath } from "../../../../text/quote.ts";
import { clean, oneLine } from "../../../../text/template.ts";
import type { Command, Context, Input } from "../../command.ts";
import { specOf } from "../../named-spec.ts";

export const context: Command = {
  summary: "what an agent should know about a spec, in a few lines",
  args: ["[spec]", "[words…]"],
  options: { file: { value: "document", summary: "the document it is about" } },
  details: "Words that are not the name of a spec are ignored.",
  run(called, input) {
    const spec = openNamed(called, input);
    const facts = factsOf(spec);
    const lines = [
      `${spec.project.layout.unit} ${quoteName(spec.name)} in ${quotePath(spec.basePath)}: ${facts.standing}`,
      `Goal: ${oneLine(clean(facts.goal), 1000)}`,
      `Documents: ${facts.documents.join(", ") || "none yet"}`,
      `Date: ${called.now().at.slice(0, 10)}`,
      ...facts.asked.map(({ document, line, text }) => `${document}:${line} asks: ${text}`),
      ...facts.checklists,
      ...facts.hints,
    ];
    return {
      text: lines.join("\n"),
      json: { spec: spec.name, path: spec.basePath, ...facts },
    };
  },
};

export const analyze: Command = {
  summary: "what check and trace find, as a report; changes nothing, exits with 0",
  args: ["[spec]"],
  run(called, input) {
    const spec = specOf(called, input, input.args[0]);
    const { documents } = factsOf(spec);
    const findings = documents.flatMap((document) => checkDocumentOf(spec, document)).map(lineOf);
    const all = [...findings, ...unproven(spec)];
    const text =
      all.length === 0 ? "Nothing." : all.map((line) => `- ${oneLine(line, 300)}`).join("\n");
    return {
      text: `${quotePath(spec.basePath)} (${documents.join(", ")}):\n${text}`,
      json: { spec: spec.name, documents, findings: all },
    };
  },
};

/** What the trace finds beyond the check of tasks.md. */
const BEYOND = new Set(["no-evidence", "uncommitted-evidence", "unproven-requirement"]);

function unproven(spec: Spec): string[] {
  if (!hasDocument(spec, "tasks.md")) return [];
  return traceSpec(spec)
    .problems.filter(({ code }) => BEYOND.has(code))
    .map(({ target, message, fix }) => `${target} ${message} ${fix}`);
}

function openNamed(called: Context, input: Input): Spec {
  const [first] = input.args;
  const names = first !== undefined && findNamedSpec(resolveProject(called), first).kind === "ok";
  return specOf(called, input, names ? first : undefined);
}

function factsOf(spec: Spec) {
  const file = readState(spec);
  const state: State = file.kind === "ok" ? file.state : {};
  const phases = readPhases(spec, state);
  const inferred = inferPhase(phases, (name) => hasDocument(spec, name));
  const phase =
    phaseNamed(phases, state.phase) ?? (inferred === EXECUTION ? phases.at(-1) : inferred);
  const { goal, intent, documents, hints } = readFacts(
    spec,
    phase as NonNullable<typeof phase>,
    state,
  );
  return {
    standing: standingOf(spec),
    goal,
    intent: intent.intent.id,
    documents,
    asked: phases
      .filter(({ questions }) => questions !== undefined)
      .flatMap((one) => questionsIn(spec, one)),
    checklists: readChecklists(spec).map((list) => {
      const next = nextItemId(list);
      const more = next === undefined ? "" : `; the next is ${next}`;
      return `${spec.project.layout.checklists?.folder}/${describeChecklist(list)}${more}`;
    }),
    hints,
  };
}
